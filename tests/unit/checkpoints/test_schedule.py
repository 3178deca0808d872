"""When a search is saved."""

from rewrite.checkpoints.schedule import EVERY, TIMES, Schedule


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_save_is_due_after_a_minute_and_again_after_another() -> None:
    clock = Clock()
    schedule = Schedule(clock)
    assert not schedule.due()
    clock.now += EVERY - 0.1
    assert not schedule.due()
    clock.now += 0.1
    assert schedule.due()
    schedule.saved(clock.now)
    assert not schedule.due()
    clock.now += EVERY
    assert schedule.due()


def test_what_takes_long_to_save_is_saved_less_often() -> None:
    clock = Clock()
    schedule = Schedule(clock)
    clock.now += EVERY
    began = clock.now
    clock.now += 30
    schedule.saved(began)
    clock.now += TIMES * 30 - 1
    assert not schedule.due()
    clock.now += 1
    assert schedule.due()
    spent, whole = 30, 30 + TIMES * 30
    assert spent / whole < 0.05
