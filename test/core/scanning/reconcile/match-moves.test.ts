import t from 'tap'
import type { MoveCandidate } from '../../../../src/core/catalogue/index.ts'
import { matchMoves } from '../../../../src/core/scanning/reconcile/match-moves.ts'

/** `a>1` is a pair, `a>1t` one with equal times, `a>1c` one with equal content. */
function pairs(...words: string[]): MoveCandidate[] {
  return words.map((word) => ({
    missingId: word[0] ?? '',
    missingPath: `/old/${word[0]}`,
    foundId: word[2] ?? '',
    foundPath: `/new/${word[2]}`,
    missingSince: new Date(0),
    missingParentId: null,
    foundParentId: null,
    hasSameTime: word.includes('t'),
    hasSameContent: word.includes('c'),
  }))
}

const CASES: [claim: string, candidates: MoveCandidate[], moves: string[]][] = [
  ['no pair, no move', [], []],
  ['one missing and one new file are a move', pairs('a>1'), ['a>1']],
  ['two independent pairs are two moves', pairs('a>1', 'b>2'), ['a>1', 'b>2']],
  ['one missing and two new files are ambiguous', pairs('a>1', 'a>2'), []],
  ['two missing and one new file are ambiguous', pairs('a>1', 'b>1'), []],
  ['the modification time decides', pairs('a>1', 'a>2t'), ['a>2']],
  ['the content decides where times do not', pairs('a>1t', 'a>2tc'), ['a>2']],
  ['what one test settles leaves the rest for the next', pairs('a>1t', 'a>2', 'b>1', 'b>2'), ['a>1']],
  ['a full exchange is settled by time', pairs('a>1t', 'a>2', 'b>1', 'b>2t'), ['a>1', 'b>2']],
  ['equal in everything stays ambiguous', pairs('a>1tc', 'a>2tc', 'b>1tc', 'b>2tc'), []],
]

void t.test('each file is used once and only unique matches count', (t) => {
  for (const [claim, candidates, moves] of CASES) {
    t.strictSame(
      matchMoves(candidates).map(({ missingId, foundId }) => `${missingId}>${foundId}`),
      moves,
      claim,
    )
  }
  t.end()
})
