"""Modules of Maude, written for tests from what is published of these puzzles."""

BLACKBOARD = """
mod BLACKBOARD is
  protecting NAT .
  sort Blackboard . subsort Nat < Blackboard .
  op __ : Blackboard Blackboard -> Blackboard [ctor assoc comm] .
  vars M N : Nat .
  rl [play] : M N => (M + N) quo 2 .
endm
search 2000 2 200 10 50 =>! N .
search [3] 2000 2 200 10 50 =>+ M N such that M > 10 * N .
"""

CHIPS = """
mod CHIPS is
  sorts Chip Chips . subsort Chip < Chips .
  ops red blue green : -> Chip [ctor] .
  op __ : Chips Chips -> Chips [ctor assoc comm] .
  rl red red => blue .   rl blue blue => green green .
  rl [both] : red green => blue red .
endm
search red red red green blue green =>! C:Chip .
search [, 4] red red red green blue green =>* red C:Chips .
"""

RECOLORING = """
mod RECOLORING is
  sorts Color Row . subsort Color < Row .
  ops w b : -> Color [ctor] .
  op __ : Row Row -> Row [ctor assoc] .
  op other : Color -> Color .
  eq other(w) = b .   eq other(b) = w .
  vars X Y : Color .
  rl [pair] : X Y => other(X) other(Y) .
endm
search w w w w w w w =>* b b b b b b w .
search w b w w =>* w X b Y .
"""

RABBITS = """
mod RABBIT-HOP is
  sorts Rabbit Line . subsort Rabbit < Line .
  ops x o free : -> Rabbit [ctor] .
  op __ : Line Line -> Line [ctor assoc] .
  rl [xStep] : x free => free x .   rl [oStep] : free o => o free .
  rl [xJump] : x o free => free o x .   rl [oJump] : free x o => o x free .
endm
search x x x free o o o =>* o o o free x x x .
search x x free o =>! L:Line .
"""

JUGS = """
mod DIE-HARD is
  protecting NAT .
  sorts Jug Jugs . subsort Jug < Jugs .
  op jug : Nat Nat -> Jug [ctor] . *** capacity and contents
  op __ : Jugs Jugs -> Jugs [ctor assoc comm id: none] .
  op none : -> Jugs [ctor] .
  vars M1 M2 N1 N2 : Nat .
  rl [empty] : jug(M1, N1) => jug(M1, 0) .
  rl [fill] : jug(M1, N1) => jug(M1, M1) .
  crl [pour] : jug(M1, N1) jug(M2, N2) => jug(M1, 0) jug(M2, N1 + N2) if N1 + N2 <= M2 .
  crl [part] : jug(M1, N1) jug(M2, N2) => jug(M1, sd(N1 + N2, M2)) jug(M2, M2) if N1 + N2 > M2 .
endm
search [1] jug(3, 0) jug(5, 0) jug(8, 0) =>* jug(N1:Nat, 4) R:Jugs .
search jug(3, 0) jug(5, 0) =>* jug(3, s M1) R:Jugs .
"""

BRIDGE = """
mod BRIDGE is
  protecting NAT .
  sorts Side Member Part Parts Scene .
  subsort Part < Parts .
  ops near far : -> Side [ctor] .
  op across : Side -> Side .
  eq across(near) = far .   eq across(far) = near .
  op walker : Nat Side -> Part [ctor] .
  ops torch : Side -> Part [ctor] .
  op clock : Nat -> Part [ctor] .
  op __ : Parts Parts -> Parts [ctor assoc comm id: nobody] .
  op nobody : -> Parts [ctor] .
  op {_} : Parts -> Scene [ctor] .
  vars S : Side . vars A B T : Nat . var P : Parts .
  crl [one] : { torch(S) walker(A, S) clock(T) P }
    => { torch(across(S)) walker(A, across(S)) clock(T + A) P } if T + A <= 17 .
  crl [two] : { torch(S) walker(A, S) walker(B, S) clock(T) P }
    => { torch(across(S)) walker(A, across(S)) walker(B, across(S)) clock(T + max(A, B)) P }
    if T + max(A, B) <= 17 .
endm
search { torch(near) clock(0) walker(1, near) walker(2, near) walker(5, near) walker(10, near) }
  =>* { torch(far) clock(T) walker(1, far) walker(2, far) walker(5, far) walker(10, far) } .
search { torch(near) clock(0) walker(1, near) walker(2, near) walker(5, near) } =>! S:Scene .
"""

CROSSING = """
mod RIVER-CROSSING is
  sorts Side Being Beings . subsort Being < Beings .
  ops left right : -> Side [ctor] .
  op change : Side -> Side .
  eq change(left) = right .   eq change(right) = left .
  ops shepherd wolf goat cabbage : Side -> Being [ctor] .
  op __ : Beings Beings -> Beings [ctor assoc comm] .
  vars S T : Side .
  ceq wolf(S) goat(S) shepherd(T) = wolf(S) shepherd(T) if S =/= T .
  ceq cabbage(S) goat(S) wolf(T) shepherd(T) = goat(S) wolf(T) shepherd(T) if S =/= T .
  rl [alone] : shepherd(S) => shepherd(change(S)) .
  rl [wolf] : shepherd(S) wolf(S) => shepherd(change(S)) wolf(change(S)) .
  rl [goat] : shepherd(S) goat(S) => shepherd(change(S)) goat(change(S)) .
  rl [cabbage] : shepherd(S) cabbage(S) => shepherd(change(S)) cabbage(change(S)) .
endm
search shepherd(left) wolf(left) goat(left) cabbage(left)
  =>* shepherd(right) wolf(right) goat(right) cabbage(right) .
search shepherd(left) wolf(left) goat(left) cabbage(left) =>* B:Beings goat(S) such that S = right .
"""

BLOCKS = """
mod BLOCKS-WORLD is
  protecting QID .
  sorts Prop Props . subsort Prop < Props .
  ops table clear holding : Qid -> Prop [ctor] .
  op on : Qid Qid -> Prop [ctor] .
  op hand : -> Prop [ctor] .
  op _&_ : Props Props -> Props [ctor assoc comm id: 1] .
  op 1 : -> Props [ctor] .
  vars X Y : Qid .
  rl [pickup] : hand & clear(X) & table(X) => holding(X) .
  rl [putdown] : holding(X) => hand & clear(X) & table(X) .
  rl [unstack] : hand & clear(X) & on(X, Y) => holding(X) & clear(Y) .
  rl [stack] : holding(X) & clear(Y) => hand & clear(X) & on(X, Y) .
endm
search [1] hand & clear('c) & clear('b) & table('a) & table('b) & on('c, 'a)
  =>* hand & clear('a) & table('c) & on('a, 'b) & on('b, 'c) .
search hand & clear('c) & clear('b) & table('a) & table('b) & on('c, 'a) =>* on(X, 'a) & P:Props .
"""

KHUN_PHAN = """
mod KHUN-PHAN is
  protecting NAT .
  sorts Piece Board . subsort Piece < Board .
  op __ : Board Board -> Board [ctor assoc comm] .
  ops free big small wide tall : Nat Nat -> Piece [ctor] .
  vars X Y : Nat .
  rl [bigLeft] : big(s X, Y) free(X, Y) free(X, s Y) => big(X, Y) free(s s X, Y) free(s s X, s Y) .
  rl [bigRight] : big(X, Y) free(s s X, Y) free(s s X, s Y) => big(s X, Y) free(X, Y) free(X, s Y) .
  rl [bigUp] : big(X, s Y) free(X, Y) free(s X, Y) => big(X, Y) free(X, s s Y) free(s X, s s Y) .
  rl [bigDown] : big(X, Y) free(X, s s Y) free(s X, s s Y) => big(X, s Y) free(X, Y) free(s X, Y) .
  rl [smallUp] : small(X, s Y) free(X, Y) => small(X, Y) free(X, s Y) .
  rl [smallDown] : small(X, Y) free(X, s Y) => small(X, s Y) free(X, Y) .
  rl [smallLeft] : small(s X, Y) free(X, Y) => small(X, Y) free(s X, Y) .
  rl [smallRight] : small(X, Y) free(s X, Y) => small(s X, Y) free(X, Y) .
  rl [tallLeft] : tall(s X, Y) free(X, Y) free(X, s Y) => tall(X, Y) free(s X, Y) free(s X, s Y) .
  rl [tallRight] : tall(X, Y) free(s X, Y) free(s X, s Y) => tall(s X, Y) free(X, Y) free(X, s Y) .
  rl [tallUp] : tall(X, s Y) free(X, Y) => tall(X, Y) free(X, s s Y) .
  rl [tallDown] : tall(X, Y) free(X, s s Y) => tall(X, s Y) free(X, Y) .
  rl [wideLeft] : wide(s X, Y) free(X, Y) => wide(X, Y) free(s s X, Y) .
  rl [wideRight] : wide(X, Y) free(s s X, Y) => wide(s X, Y) free(X, Y) .
  rl [wideUp] : wide(X, s Y) free(X, Y) free(s X, Y) => wide(X, Y) free(X, s Y) free(s X, s Y) .
  rl [wideDown] : wide(X, Y) free(X, s Y) free(s X, s Y) => wide(X, s Y) free(X, Y) free(s X, Y) .
endm
search [, 8] free(1, 5) free(2, 5) tall(1, 1) big(2, 1) tall(4, 1) tall(1, 3) wide(2, 3) tall(4, 3)
  small(2, 4) small(3, 4) small(3, 5) small(4, 5) =>* B:Board big(2, 1) small(X, Y) free(X, s Y) .
"""

HANOI = """
mod HANOI is
  protecting NAT .
  sorts Stack Tower Towers . subsort Nat < Stack . subsort Tower < Towers .
  op nil : -> Stack [ctor] .   op none : -> Towers [ctor] .
  op __ : Stack Stack -> Stack [ctor assoc id: nil] .
  op (_)[_] : Nat Stack -> Tower [ctor] .
  op _|_ : Towers Towers -> Towers [ctor assoc comm id: none] .
  vars S T : Stack . vars A B N M : Nat .
  crl [move] : (A)[S N] | (B)[T M] => (A)[S] | (B)[T M N] if N < M .
  rl [free] : (A)[S N] | (B)[nil] => (A)[S] | (B)[N] .
endm
search [1] (0)[3 2 1] | (1)[nil] | (2)[nil] =>* (0)[nil] | (1)[nil] | (2)[3 2 1] .
search (0)[2 1] | (1)[nil] | (2)[nil] =>* (A)[S N] | R:Towers such that N > 1 .
"""

VENDING = """
mod VENDING-MACHINE is
  sorts Coin Item Marking . subsorts Coin Item < Marking .
  op __ : Marking Marking -> Marking [assoc comm id: null] .
  op null : -> Marking .
  ops $ q : -> Coin . ops a c : -> Item . var M : Marking .
  rl [buy-c] : $ => c .   rl [buy-a] : $ => a q .   rl [change] : q q q q => $ .
endm
search [4] $ $ $ $ =>! a c M such that M =/= null .
search $ $ =>+ M .
search $ =>1 M .
"""

READERS = """
mod READERS-WRITERS is
  protecting NAT .
  sort Config .
  op <_,_> : Nat Nat -> Config [ctor] .
  vars R W : Nat .
  rl < 0, 0 > => < 0, s 0 > .   rl < R, s W > => < R, W > .
  crl < R, 0 > => < s R, 0 > if R < 6 .   rl < s R, W > => < R, W > .
endm
search < 0, 0 > =>* < s R, s W > .
search < 0, 0 > =>* < R, s s W > .
search < 0, 0 > =>* < R, W > such that R + W == 6 .
"""

LISTS = """
mod LISTS is
  protecting LIST{Nat} . protecting SET{Qid} . protecting MAP{Qid, Nat} .
  protecting STRING . protecting INT .
  sort St .
  op st : List{Nat} Set{Qid} Map{Qid,Nat} String Int -> St [ctor] .
  vars L : List{Nat} . vars Q : Qid . var S : Set{Qid} . var M : Map{Qid,Nat} .
  vars T : String . vars I : Int . var N : Nat .
  rl [rev] : st(L, S, M, T, I) => st(reverse(L), S, M, T, I) .
  crl [add] : st(N L, S, M, T, I)
    => st(append(L, N), insert('x, S), insert('a, N, M), T + "z", I - 1)
    if I > -3 /\\ length(T) < 4 .
  crl [del] : st(L, (Q, S), M, T, I) => st(L, S, M, T, I + 1) if Q in S == false /\\ I < 2 .
  crl [look] : st(L, S, M, T, I) => st(M['a] L, S, M, T, I) if size(L) < 4 /\\ $hasMapping(M, 'a) .
endm
search [, 4] st(1 2 3, 'b, empty, "", 0) =>* st(N L, S, M, T, I) .
search [, 3] st(1 2 3, 'b, empty, "", 0) =>+ st(N L, (Q, S), M, T, I) such that I < 0 .
"""

TREES = """
mod TREES is
  sorts Leaf Tree . subsort Leaf < Tree .
  ops a b : -> Leaf [ctor] .
  op _^_ : Tree Tree -> Tree [ctor] .
  op flip : Tree -> Tree .
  vars T U : Tree . var X : Leaf .
  eq flip(X) = X .   eq flip(T ^ U) = flip(U) ^ flip(T) .
  rl [swap] : T ^ U => U ^ T .   crl [turn] : T ^ U => flip(T ^ U) if T =/= U .
  rl [ab] : a => b .
endm
search (a ^ b) ^ (a ^ a) =>* (b ^ T) ^ U .
"""

REWRITING = """
mod REWRITING is
  protecting NAT .
  sorts T S . subsort T < S .
  ops a b c d : -> T [ctor] .   op in : T S -> T [ctor] .   op n : Nat -> T [ctor] .
  op __ : S S -> S [ctor assoc comm id: none] .   op none : -> S [ctor] .
  vars X Y : T . vars P Q : S . var N : Nat .
  rl [ab] : a => b .   rl [bc] : b => c .   crl [n] : n(s N) => n(N) if N < 3 .
  crl [jump] : d X => c Y if X => Y /\\ Y =/= X .
  crl [inside] : in(X, P) => in(Y, P) if P => Y Q /\\ Q => none .
  crl [done] : n(N) d => none if n(N) => n(0) .
endm
search [, 3] a d n(2) =>* P .
search [, 3] in(a, a b) a =>* P .
search d n(2) =>! P .
"""

RENAMED = """
mod RENAMED is
  protecting STRING * (sort String to Text, sort Nat to Num) .
  protecting (QID * (sort String to Text, sort Nat to Num, sort Qid to Name)) .
  sorts S T U . subsorts S T < U .
  op f : Num -> S [ctor] .   op g : Text -> S [ctor] .   op h : Name -> S [ctor] .
  op b : Bool -> S [ctor] .   ops c d : -> T [ctor] .   op __ : U U -> U [ctor assoc comm] .
  var N : Num . var X : Text . var Q : Name . var B : Bool . var T : T . var S : S .
  rl f(N) => g("a") h('q) f(N + 1) .   crl g(X) => T if T := d .   rl h(Q) => b(true) .
  rl b(B) => f(0) .   rl T f(s N) => T .   rl T T => T .   crl S b(B) => S if not B .
endm
search [, 4] f(0) =>* X:U .
search [, 4] f(0) c =>* T X:U .
"""

RENAMED_INT = """
mod RENAMED-INT is
  protecting INT * (sort Int to Z) .
  sort S . op f : Z Z -> S [ctor] . vars A B : Z . var N : NzNat .
  rl f(A, B) => f(B - 3, A) .   crl f(A, B) => f(A quo 2, B rem 2) if A < 0 .
  rl f(N, B) => f(B, 0) .
endm
search [, 5] f(0, 5) =>* f(A, B) .
"""

ONLY_IN_A_CONDITION = """
mod ONLY-IN-A-CONDITION is
  sorts E F G . subsorts E F < G .
  ops a b : -> E [ctor] . op k : -> F [ctor] . op p : G G -> F [ctor] .
  vars X Y : E . var Z : G .
  crl p(X, Z) => p(Y, X) if Y := b .   rl p(X, X) => k .
endm
search p(a, k) =>* Z .
"""

OBJECTS = """
mod OBJECTS is
  protecting INT . including CONFIGURATION .
  op Account : -> Cid [ctor] .   op bal:_ : Int -> Attribute [ctor gather (&)] .
  ops credit debit : Oid Nat -> Msg [ctor] .   ops paul mary : -> Oid [ctor] .
  vars A B : Oid . var M : Nat . vars I J : Int .
  rl [credit] : credit(A, M) < A : Account | bal: I > => < A : Account | bal: (I + M) > .
  crl [debit] : debit(A, M) < A : Account | bal: I > => < A : Account | bal: (I - M) > if I >= M .
endm
search < paul : Account | bal: 5 > credit(paul, 2) debit(paul, 6) =>* O:Object C:Configuration
  such that O:Object == < paul : Account | bal: 1 > /\\ C:Configuration = none .
search < paul : Account | bal: 5 > credit(paul, 2) debit(paul, 6) =>! C:Configuration .
"""

ALL = {name: text for name, text in globals().items() if isinstance(text, str) and "\nendm" in text}
