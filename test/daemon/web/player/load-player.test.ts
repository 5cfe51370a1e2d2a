import { registerHooks } from 'node:module'
import t from 'tap'

/** Notes the calls instead of playing. A film is not over until the test ends it. */
const NOTING_PLAYER = `
export const createPlayer = (video, { calls }) => ({
  start(item) {
    calls.push('start ' + item)
    return new Promise(() => {})
  },
  stop: () => void calls.push('stop'),
  choose: (menu, value) => void calls.push('choose ' + menu + ' ' + value),
})`

registerHooks({
  resolve: (name, context, next) =>
    name === './player.js'
      ? { url: `data:text/javascript,${encodeURIComponent(NOTING_PLAYER)}`, shortCircuit: true }
      : next(name, context),
})

type Player = {
  prepare: () => void
  start: (item: string) => Promise<boolean>
  stop: () => Promise<void>
  choose: (menu: string, value: string) => Promise<void>
}
type Loader = { createPlayer: (video: object, listeners: { calls: string[] }) => Player }

const address = new URL('../../../../src/daemon/web/player/load-player.js', import.meta.url).href
const { createPlayer } = (await import(address)) as Loader

/** A player whose calls are noted. */
function setUp() {
  const calls: string[] = []
  return { calls, player: createPlayer({}, { calls }) }
}

void t.test('while the player is loaded, the end of an item does not overtake the start of the next one', async (t) => {
  const { calls, player } = setUp()
  player.prepare()
  void player.start('first')
  void player.stop()
  void player.start('second')
  void player.choose('sound', 'en')
  await player.choose('sound', 'de')
  t.strictSame(calls, ['start first', 'stop', 'start second', 'choose sound en', 'choose sound de'])
  await player.stop()
  t.equal(calls.at(-1), 'stop', 'a start that still waits holds up nothing')
})

void t.test('nothing is loaded to end nothing', async (t) => {
  const { calls, player } = setUp()
  await player.stop()
  await player.choose('sound', 'en')
  t.strictSame(calls, [])
})
