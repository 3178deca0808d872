//! What is asked of a search; every argument has been checked by the asker.

/// The strategies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    BreadthFirst,
    UniformCost,
    Astar,
    Greedy,
    Beam,
    DepthFirst,
    Bidirectional,
    IdaStar,
}

impl Kind {
    /// All of them; an asker that has others runs those itself.
    pub const ALL: [(&'static str, Kind); 8] = [
        ("breadth_first", Kind::BreadthFirst),
        ("uniform_cost", Kind::UniformCost),
        ("astar", Kind::Astar),
        ("greedy", Kind::Greedy),
        ("beam", Kind::Beam),
        ("depth_first", Kind::DepthFirst),
        ("bidirectional", Kind::Bidirectional),
        ("idastar", Kind::IdaStar),
    ];

    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.iter().find(|one| one.0 == name).map(|one| one.1)
    }
}

/// The factor of the estimate in A*. The two kinds calculate differently: whole numbers exactly, a
/// real one in doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    Whole(u64),
    Real(f64),
}

impl Weight {
    pub fn is_one(self) -> bool {
        match self {
            Weight::Whole(factor) => factor == 1,
            Weight::Real(factor) => factor == 1.0,
        }
    }
}

/// A search that is asked for.
#[derive(Clone, Debug)]
pub struct Question {
    pub strategy: Kind,
    /// States that a beam keeps of a level; 1 or more.
    pub width: usize,
    pub weight: Weight,
    pub seed: Option<u64>,
    /// Every path once, not every state; goes with `BreadthFirst`.
    pub distinct_paths: bool,
    /// Whether there is an expression to minimize.
    pub minimize: bool,
    /// Whether there is a goal.
    pub goal: bool,
    /// Answers of fewer steps do not count.
    pub min_depth: u64,
    pub uses_estimate: bool,
    /// How many goals are given as states: they follow the start in the space. For `Bidirectional`.
    pub goals: u32,
    /// Whether steps have costs, which `Bidirectional` must know.
    pub weighted: bool,
    /// Ask after every batch whether to stop: something outside is called for states anyway.
    pub eager: bool,
}

impl Question {
    /// The question for a state that meets the goal, with every option as usual.
    pub fn new(strategy: Kind) -> Question {
        Question {
            strategy,
            width: 1000,
            weight: Weight::Whole(1),
            seed: None,
            distinct_paths: false,
            minimize: false,
            goal: true,
            min_depth: 0,
            uses_estimate: false,
            goals: 0,
            weighted: false,
            eager: false,
        }
    }
}
