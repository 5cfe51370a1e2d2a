import t from 'tap'
import {
  countsAsListen,
  progressPercent,
  type ReportedPlay,
  type ScrobbledTrack,
} from '../../../src/core/scrobbling/reported-play.ts'
import { signCall } from '../../../src/core/scrobbling/services/lastfm.ts'

const track = (durationSeconds: number | null): ScrobbledTrack => ({
  type: 'track',
  name: 'Sine',
  artist: 'Oscillator',
  album: null,
  trackNumber: null,
  durationSeconds,
})

void t.test('a listen is half of a track longer than 30 s, or 4 minutes', (t) => {
  const cases: [duration: number | null, playedSeconds: number, isCompleted: boolean, expected: boolean][] = [
    [30, 30, true, false],
    [31, 15, false, false],
    [31, 16, false, true],
    [200, 99, false, false],
    [200, 100, false, true],
    [3600, 239, false, false],
    [3600, 240, false, true],
    // Somebody who skips to the end has not listened.
    [200, 5, true, false],
    [null, 239, false, false],
    [null, 240, false, true],
    [null, 10, true, true],
  ]
  for (const [duration, playedSeconds, isCompleted, expected] of cases) {
    t.equal(
      countsAsListen(track(duration), { playedSeconds, isCompleted }),
      expected,
      `${playedSeconds} of ${duration} s`,
    )
  }
  t.end()
})

void t.test('progress is between 0 and 100 whatever was played', (t) => {
  const film = (durationSeconds: number | null, end: ReportedPlay['end']): ReportedPlay => ({
    item: { type: 'movie', title: 'Alien', year: 1979, ids: {}, durationSeconds },
    occurredAt: new Date(0),
    end,
  })
  t.equal(progressPercent(film(7200, null)), 0)
  t.equal(progressPercent(film(7200, { playedSeconds: 1800, isCompleted: false })), 25)
  t.equal(progressPercent(film(7200, { playedSeconds: 9000, isCompleted: false })), 100)
  t.equal(progressPercent(film(7200, { playedSeconds: 6500, isCompleted: true })), 100)
  t.equal(progressPercent(film(0, { playedSeconds: 10, isCompleted: false })), 0)
  t.equal(progressPercent(film(null, { playedSeconds: 10, isCompleted: false })), 0)
  t.end()
})

void t.test('the signature of Last.fm is that of its documentation', (t) => {
  // md5("api_keyxxxxxxxxxxmethodauth.getSessiontokenyyyyyymysecret")
  const parameters = { token: 'yyyyyy', method: 'auth.getSession', api_key: 'xxxxxxxxxx' }
  t.equal(signCall(parameters, 'mysecret'), '61c45a02d5f7b9a11e7db6ec6b01e1d3')
  t.not(signCall(parameters, 'mysecret'), signCall(parameters, 'other'))
  t.end()
})
