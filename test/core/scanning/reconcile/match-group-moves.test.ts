import t from 'tap'
import { matchGroupMoves, type GroupMove } from '../../../../src/core/scanning/reconcile/match-group-moves.ts'

/** `a>1` is one member of group a that moved to group 1; its position in the list is the second at which it was missed. */
function arrivals(...words: string[]): GroupMove[] {
  return words.map((word, at) => ({ oldId: word[0] ?? '', newId: word[2] ?? '', since: new Date(at * 1000) }))
}

const CASES: [claim: string, arrivals: GroupMove[], moves: string[]][] = [
  ['nothing moved, nothing follows', [], []],
  ['a group follows its members', arrivals('a>1', 'a>1'), ['a>1']],
  ['two groups follow theirs', arrivals('a>1', 'b>2'), ['a>1', 'b>2']],
  ['the group that most members came from counts', arrivals('a>1', 'b>1', 'b>1'), ['b>1']],
  ['a group goes where most of its members went', arrivals('a>1', 'a>2', 'a>2'), ['a>2']],
  ['the remaining files may follow the others', arrivals('a>1', 'a>1', 'a>2', 'b>1'), ['a>1']],
]

void t.test('each new group has one origin, and each old one follows once', (t) => {
  for (const [claim, given, expected] of CASES) {
    t.strictSame(
      matchGroupMoves(given).map(({ oldId, newId }) => `${oldId}>${newId}`),
      expected,
      claim,
    )
  }
  t.strictSame(
    matchGroupMoves(arrivals('b>2', 'a>1', 'a>1')).map(({ since }) => since.getTime()),
    [1000, 0],
    'the earliest loss of a member counts',
  )
  t.end()
})
