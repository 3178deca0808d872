"""What Maude lacks: the declarations and functions of an exported module.

Every function is *partial on sorts*: if it has no value, the term stays as it is and has a kind,
but no sort. So a condition `X := …` fails there, just as our rule would not apply. `and-then`,
`or-else` and `choose` evaluate no further than needed, as `&`, `|` and `if_` do.
"""

from __future__ import annotations

from rewrite.language.nesting import reached

IMPORTS = "protecting (INT + EXT-BOOL) * (op _xor_ : Int Int -> Int to _bit-xor_) ."
"""`xor` is renamed, because Int and Bool share a kind here, and Maude has an `xor` for each."""

IMPORTS_WITH_STRING = """\
protecting (INT + EXT-BOOL + STRING) * (op _xor_ : Int Int -> Int to _bit-xor_,
  op _+_ : String String -> String to _++_,
  op _<_ : String String -> Bool to _before_,
  op _<=_ : String String -> Bool to _before-or-same_,
  op _>_ : String String -> Bool to _after_,
  op _>=_ : String String -> Bool to _after-or-same_) ."""

SORTS = """\
sorts Term List Bag State .
subsorts {atoms} < Term .
subsorts Term < List Bag .
op nil : -> List [ctor] .
op _~_ : List List -> List [ctor assoc id: nil prec 60] .
op seq : List -> Term [ctor] .
op none : -> Bag [ctor] .
op _;_ : Bag Bag -> Bag [ctor assoc comm id: none prec 70] .
op bag : Bag -> Term [ctor] .
op {{_}} : Bag -> State [ctor] ."""

FUNCTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "mod": ("""\
*** The rest that has the sign of the divisor, as in Python; that of rem has the other's.
op _mod_ : Int NzInt -> Int .
eq I:Int mod J:NzInt = ((I:Int rem J:NzInt) + J:NzInt) rem J:NzInt .""", ()),
    "div": ("""\
*** Rounded down, as in Python; quo rounds towards zero.
op _div_ : Int NzInt -> Int .
eq I:Int div J:NzInt = (I:Int - (I:Int mod J:NzInt)) quo J:NzInt .""", ("mod",)),
    "divides": ("""\
op divides : Int Int -> Bool .
eq divides(0, I:Int) = false .
eq divides(J:NzInt, I:Int) = (I:Int rem J:NzInt) == 0 .""", ()),
    "between": ("""\
op between : Int Int Int -> Bool .
eq between(I:Int, J:Int, K:Int) = (I:Int <= J:Int) and-then (J:Int <= K:Int) .""", ()),
    "choose": ("""\
op choose : Bool Term Term -> Term [strat (1 0)] .
eq choose(true, T:[Term], U:[Term]) = T:[Term] .
eq choose(false, T:[Term], U:[Term]) = U:[Term] .""", ()),
    "same": ("""\
*** Equality of terms that have a value; == would also compare those that have none.
op same : Term Term -> Bool .
eq same(T:Term, U:Term) = T:Term == U:Term .""", ()),
    "holds": ("""\
*** Whether a condition is true; false where it has no value.
op holds : Bool ~> Bool .
eq holds(true) = true .
eq holds(B:[Bool]) = false [owise] .""", ()),
    "items": ("""\
op items : Term ~> List .
eq items(seq(L:List)) = L:List .""", ()),
    "asBag": ("""\
op asBag : List -> Bag .
eq asBag(nil) = none .
eq asBag(T:Term ~ L:List) = T:Term ; asBag(L:List) .""", ()),
    "isIn": ("""\
op isIn : Term List -> Bool .
eq isIn(T:Term, nil) = false .
eq isIn(T:Term, U:Term ~ L:List) = (T:Term == U:Term) or-else isIn(T:Term, L:List) .""", ()),
    "occursIn": ("""\
op occursIn : Term Bag -> Bool .
eq occursIn(T:Term, T:Term ; B:Bag) = true .
eq occursIn(T:Term, B:Bag) = false [owise] .""", ()),
    "size": ("""\
op size : List -> Nat .
eq size(nil) = 0 .
eq size(T:Term ~ L:List) = 1 + size(L:List) .""", ()),
    "bagSize": ("""\
op bagSize : Bag -> Nat .
eq bagSize(none) = 0 .
eq bagSize(T:Term ; B:Bag) = 1 + bagSize(B:Bag) .""", ()),
    "sum": ("""\
op sum : List ~> Int .
eq sum(nil) = 0 .
eq sum(I:Int ~ L:List) = I:Int + sum(L:List) .""", ()),
    "bagSum": ("""\
op bagSum : Bag ~> Int .
eq bagSum(none) = 0 .
eq bagSum(I:Int ; B:Bag) = I:Int + bagSum(B:Bag) .""", ()),
    "item": ("""\
*** The element at a place, counted from 0; from the end where the place is negative.
op item : List Int ~> Term .
eq item(T:Term ~ L:List, 0) = T:Term .
ceq item(T:Term ~ L:List, I:Int) = item(L:List, I:Int - 1) if I:Int > 0 .
ceq item(L:List, I:Int) = item(L:List, I:Int + size(L:List))
  if I:Int < 0 /\\ I:Int + size(L:List) >= 0 .""", ("size",)),
    "digits": ("""\
op digits : Int ~> List .
ceq digits(I:Int) = I:Int if I:Int >= 0 /\\ I:Int < 10 .
ceq digits(I:Int) = digits(I:Int quo 10) ~ (I:Int rem 10) if I:Int >= 10 .""", ()),
    "number": ("""\
op number : List ~> Int .
ceq number(I:Int) = I:Int if I:Int >= 0 /\\ I:Int < 10 .
ceq number(L:List ~ I:Int) = (10 * number(L:List)) + I:Int
  if L:List =/= nil /\\ I:Int >= 0 /\\ I:Int < 10 .""", ()),
    "reverse": ("""\
op reverse : List -> List .
eq reverse(nil) = nil .
eq reverse(T:Term ~ L:List) = reverse(L:List) ~ T:Term .""", ()),
    "position": ("""\
*** Where an element first stands, counted from 0.
op position : Term List ~> Nat .
eq position(T:Term, T:Term ~ L:List) = 0 .
ceq position(T:Term, U:Term ~ L:List) = 1 + position(T:Term, L:List) if T:Term =/= U:Term .""",
                 ()),
    "letters": ("""\
*** Maude counts bytes: the first byte of a letter says how many it has in UTF-8.
op letter-size : Nat -> NzNat .
eq letter-size(I:Nat) = if I:Nat < 192 then 1 else
  if I:Nat < 224 then 2 else if I:Nat < 240 then 3 else 4 fi fi fi .
op letters : String -> List .
op letters : String NzNat -> List .
eq letters("") = nil .
eq letters(S:String) = letters(S:String, letter-size(ascii(substr(S:String, 0, 1)))) [owise] .
eq letters(S:String, J:NzNat)
  = substr(S:String, 0, J:NzNat) ~ letters(substr(S:String, J:NzNat, length(S:String))) .""", ()),
    "text": ("""\
*** A number in decimal digits, the texts of a sequence joined, or the text itself.
op text : Term ~> String .
eq text(S:String) = S:String .
eq text(seq(nil)) = "" .
eq text(seq(S:String ~ L:List)) = S:String ++ text(seq(L:List)) .
ceq text(I:Int) = "-" ++ text(- I:Int) if I:Int < 0 .
ceq text(I:Int) = char(48 + I:Int) if I:Int >= 0 /\\ I:Int < 10 .
ceq text(I:Int) = text(I:Int quo 10) ++ char(48 + (I:Int rem 10)) if I:Int >= 10 .""", ()),
    "textLength": ("""\
op textLength : String -> Nat .
eq textLength(S:String) = size(letters(S:String)) .""", ("size", "letters")),
    "letter": ("""\
op letter : String Int ~> String .
eq letter(S:String, I:Int) = item(letters(S:String), I:Int) .""", ("item", "letters")),
    "textReverse": ("""\
op textReverse : String -> String .
eq textReverse(S:String) = text(seq(reverse(letters(S:String)))) .""",
                    ("text", "reverse", "letters")),
    "isPart": ("""\
op isPart : String String -> Bool .
eq isPart(S:String, T:String) = find(T:String, S:String, 0) =/= notFound .""", ()),
    "partPosition": ("""\
op partPosition : String String ~> Nat .
ceq partPosition(S:String, T:String) = textLength(substr(T:String, 0, I:Nat))
  if I:Nat := find(T:String, S:String, 0) .""", ("textLength",)),
    "subterms": ("""\
*** All (place, term) in a term: itself, and what is below it.
op subterms : Term -> List .
op below : Term -> List .
op below : Nat List -> List .
op step : Term List -> List .
eq subterms(T:Term) = seq(seq(nil) ~ T:Term) ~ below(T:Term) .
eq below(seq(L:List)) = below(0, L:List) .
eq below(bag(B:Bag)) = members(B:Bag) .
eq below(T:Term) = nil [owise] .
eq below(I:Nat, nil) = nil .
eq below(I:Nat, T:Term ~ L:List) = step(I:Nat, subterms(T:Term)) ~ below(I:Nat + 1, L:List) .
op members : Bag -> List .
eq members(none) = nil .
eq members(T:Term ; B:Bag) = step(T:Term, subterms(T:Term)) ~ members(without(T:Term, B:Bag)) .
op without : Term Bag -> Bag .
eq without(T:Term, T:Term ; B:Bag) = without(T:Term, B:Bag) .
eq without(T:Term, B:Bag) = B:Bag [owise] .
eq step(T:Term, nil) = nil .
eq step(T:Term, seq(seq(L:List) ~ U:Term) ~ M:List)
  = seq(seq(T:Term ~ L:List) ~ U:Term) ~ step(T:Term, M:List) .""", ()),
    "replaced": ("""\
*** A term with another one at a place.
op replaced : Term List Term -> Term .
eq replaced(T:Term, nil, U:Term) = U:Term .
eq replaced(bag(T:Term ; B:Bag), T:Term ~ L:List, U:Term)
  = bag(replaced(T:Term, L:List, U:Term) ; B:Bag) .
ceq replaced(seq(K:List ~ T:Term ~ M:List), I:Nat ~ L:List, U:Term)
  = seq(K:List ~ replaced(T:Term, L:List, U:Term) ~ M:List) if I:Nat == size(K:List) .""",
                 ("size",)),
}  # fmt: skip
"""Name -> (text, functions that it calls)."""

_WORDS = """
    Zero NzNat Nat NzInt Int Bool String Char FindResult Term List Bag State Universal
    s portal s_ sd quo rem divides gcd lcm min max modExp abs random and or xor not implies
    and-then or-else bit-xor if then else fi in such that is to true false notFound length substr
    find rfind char ascii upperCase lowerCase string nil none seq bag start facts forbidden solved
    before after before-or-same after-or-same mod div rl crl eq ceq op ops var vars sort sorts mb
    cmb endm below step members without
"""
WORDS = {*_WORDS.split(), *FUNCTIONS, "letter-size", "can-move"}
"""Reserved words, which nothing of a puzzle may be named after."""

_MODULES = """
    TRUTH-VALUE TRUTH BOOL BOOL-OPS EXT-BOOL NAT INT RAT FLOAT STRING CONVERSION RANDOM COUNTER QID
    TRIV LIST SET MAP ARRAY LIST* SET* NAT-LIST QID-LIST QID-SET META-TERM META-MODULE META-LEVEL
    LOOP-MODE CONFIGURATION TIME STD-STREAM FILE SOCKET PROCESS LEXICAL INITIAL-EQUALITY-PREDICATE
"""
MODULES = {*_MODULES.split()}


def functions(used: set[str]) -> list[str]:
    """Return the texts of the functions used, and of those that they call, in a fixed order."""
    wanted = {*reached(used, lambda name: FUNCTIONS[name][1])}
    return [text for name, (text, _) in FUNCTIONS.items() if name in wanted]


def within_terms(used: set[str], constructors: dict[str, int]) -> list[str]:
    """Return what `subterms` and `replaced` are for the terms of constructors, with arities."""
    made = list[str]()
    for name, arity in constructors.items() if used & {"subterms", "replaced"} else ():
        fields = [f"T{at}:Term" for at in range(arity)]
        term = f"{name}({', '.join(fields)})"
        below = " ~ ".join(f"step({at}, subterms({one}))" for at, one in enumerate(fields))
        if below and "subterms" in used:
            made.append(f"eq below({term}) = {below} .")
        for at, one in enumerate(fields) if "replaced" in used else ():
            after = [*fields[:at], f"replaced({one}, L:List, U:Term)", *fields[at + 1 :]]
            left = f"replaced({term}, {at} ~ L:List, U:Term)"
            made.append(f"eq {left} = {name}({', '.join(after)}) .")
    return made
