/* IDA* for the 15-puzzle, written by hand: the bound that ours is measured against.
 *
 * `idastar last 9 2 0 … 11`: the sixteen numbers row by row, 0 for the empty cell, which is `last`
 * in the goal 1 2 … 15 0, or `first` in 0 1 … 15.
 * The Manhattan distance is updated move by move, moves are undone, and a move never takes back the
 * one before it. Moves are tried in the order in which our rule makes them: by the cell of the tile.
 * Prints the least number of moves, how many boards were expanded, and how many were made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 4, CELLS = SIDE * SIDE };

static int board[CELLS];
static int moves[CELLS], neighbours[CELLS][4];
static signed char change[CELLS][CELLS][CELLS]; /* of the estimate: tile, from, to */
static unsigned long long expanded, made;
static int bound;
static int first; /* the cell of tile 1 in the goal */

static int distance(int tile, int cell)
{
    int home = tile - 1 + first;
    return abs(home / SIDE - cell / SIDE) + abs(home % SIDE - cell % SIDE);
}

static void prepare(void)
{
    for (int a = 0; a < CELLS; a++)
        for (int b = 0; b < CELLS; b++) {
            if (abs(a / SIDE - b / SIDE) + abs(a % SIDE - b % SIDE) == 1)
                neighbours[a][moves[a]++] = b;
            for (int tile = 1; tile < CELLS; tile++)
                change[tile][a][b] = (signed char)(distance(tile, b) - distance(tile, a));
        }
}

/* Whether the goal is reached within the bound: after `cost` moves, `left` more at the least. */
static int search(int empty, int before, int cost, int left)
{
    if (left == 0)
        return 1;
    expanded++;
    for (int i = 0; i < moves[empty]; i++) {
        int cell = neighbours[empty][i];
        if (cell == before)
            continue;
        int tile = board[cell], after = left + change[tile][cell][empty];
        made++;
        if (cost + 1 + after > bound)
            continue;
        board[empty] = tile;
        int found = search(cell, empty, cost + 1, after);
        board[cell] = tile; /* `cell` is empty in the boards beyond: only what is moved is noted */
        if (found)
            return 1;
    }
    return 0;
}

int main(int count, char **words)
{
    int empty = -1, left = 0;
    if (count != CELLS + 2)
        return 2;
    first = strcmp(words[1], "first") == 0;
    for (int cell = 0; cell < CELLS; cell++) {
        board[cell] = atoi(words[cell + 2]);
        if (board[cell] == 0)
            empty = cell;
        else
            left += distance(board[cell], cell);
    }
    prepare();
    for (bound = left; !search(empty, -1, 0, left); bound += 2)
        ;
    printf("moves=%d expanded=%llu made=%llu\n", bound, expanded, made);
    return 0;
}
