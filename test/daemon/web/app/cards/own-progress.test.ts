import t from 'tap'
import { forgetPlayed, notePlayed, withPlayed } from '../../../../../src/daemon/web/app/cards/own-progress.ts'
import { stateOf } from '../../../../../src/daemon/web/app/cards/facts.ts'
import { en } from '../../../../../src/daemon/web/app/messages/en.ts'

const item = { id: '1', name: 'A film', type: 'movie', poster_url: null }

void t.test('a card says what was played before the server does', (t) => {
  t.equal(withPlayed(item), item)
  notePlayed({ itemId: '1', seconds: 60, durationSeconds: 600, hasEnded: false })
  t.equal(stateOf(withPlayed(item), en), '9 minutes left')
  notePlayed({ itemId: '1', seconds: 550, durationSeconds: 600, hasEnded: false })
  t.equal(stateOf(withPlayed(item), en), 'Watched', 'from nine tenths on')
  notePlayed({ itemId: '1', seconds: 3, durationSeconds: undefined, hasEnded: false })
  t.equal(stateOf(withPlayed(item), en), '')
  forgetPlayed()
  t.equal(withPlayed(item), item)
  t.end()
})
