"""A graph of states: levels side by side, nodes that can be pointed at, ways in colour."""

from xml.etree import ElementTree

from rewrite.show.drawing.drawing import Drawing, Look, Mark
from rewrite.show.drawing.graph import LARGEST_PICTURE, Graph, recognisable
from rewrite.show.drawing.tags import tag

DIAMOND = Graph(
    depths=[0, 1, 1, 2], links=[(0, 1), (1, 0), (0, 2), (1, 3), (2, 3)], said=["a", "b", "c", "d"]
)
SVG = "{http://www.w3.org/2000/svg}"


def nodes(graph: Graph) -> dict[str, ElementTree.Element]:
    found = ElementTree.fromstring(graph.svg()).iter(f"{SVG}g")
    return {one.attrib["data-node"]: one for one in found if "data-node" in one.attrib}


def places(graph: Graph) -> dict[str, tuple[float, float]]:
    def place(node: ElementTree.Element) -> tuple[float, float]:
        x, y = node.attrib["transform"].removeprefix("translate(").removesuffix(")").split()
        return float(x), float(y)

    return {name: place(node) for name, node in nodes(graph).items()}


def test_levels_stand_side_by_side_and_no_two_nodes_in_one_place() -> None:
    found = places(DIAMOND)
    assert found["0"][0] < found["1"][0] == found["2"][0] < found["3"][0]
    assert len(set(found.values())) == 4


def test_neighbours_are_brought_near_so_that_links_do_not_cross() -> None:
    crossing = Graph(depths=[0, 0, 1, 1], links=[(0, 3), (1, 2)], said=[""] * 4)
    found = places(crossing)
    assert (found["0"][1] < found["1"][1]) == (found["3"][1] < found["2"][1])


def test_a_link_has_a_head_only_where_it_leads_one_way() -> None:
    svg = DIAMOND.svg(style=False)
    assert (svg.count("<path"), svg.count("<polygon")) == (4, 3)


def test_what_is_known_of_a_node_is_its_class_and_its_text() -> None:
    graph = Graph(
        depths=[0, 1], links=[(0, 1)], said=["home", "away"], goals={1}, dead={1}, current=1
    )
    start, goal = nodes(graph).values()
    assert start.attrib["class"] == "rw-node rw-node-start"
    assert goal.attrib["class"] == "rw-node rw-node-goal rw-node-dead rw-node-current"
    assert [one.findtext(f"{SVG}title") for one in (start, goal)] == [
        "0 (start): home",
        "1 (goal, dead, current): away",
    ]


def test_ways_are_drawn_over_the_links() -> None:
    graph = Graph(
        depths=[0, 1, 2], links=[(0, 1), (1, 2)], said=[""] * 3, walked=[0, 1, 0, 1],
        shortest=[1, 2],
    )  # fmt: skip
    svg = graph.svg(style=False)
    assert (svg.count("rw-link-walked"), svg.count("rw-link-shortest")) == (2, 1)
    assert svg.index('class="rw-link"') < svg.index("rw-link-shortest")


def test_small_pictures_are_nodes_and_large_or_flat_ones_are_not() -> None:
    def picture(width: float, height: float) -> Drawing:
        return Drawing(width, height, [Mark(Look(tag("circle", r=9), 18, 18), 0, 0)])

    small = [picture(100, 80)] * 2
    graph = Graph(depths=[0, 1], links=[(0, 1)], said=["", ""], pictures=small)
    assert graph.svg().count("<use") == 2
    assert graph.svg().count("<circle") == 1
    assert not recognisable([*small, picture(LARGEST_PICTURE + 1, 100)])
    assert not recognisable([picture(170, 20)])
    assert not recognisable([])


def test_an_empty_graph_and_a_node_that_leads_to_itself_are_drawn() -> None:
    assert nodes(Graph(depths=[], links=[], said=[])) == {}
    assert len(nodes(Graph(depths=[0], links=[(0, 0)], said=["x"]))) == 1
