/**
 * The clock of the server, from pings with four times (as in NTP, RFC 5905): sent and received by the client, received and sent by the
 * server. The clock of the machine is not used, so it may be wrong.
 */

const KEPT_SAMPLES = 16

/** Answers that took longer say too little. */
const MAX_ROUND_TRIP_MILLISECONDS = 5000

/** The true offset is within half a round trip of each sample. A larger difference is a jump, for example after the sleep of the machine. */
const JUMP_MILLISECONDS = 50

/**
 * @param {() => number} now monotonic milliseconds of the client, with any origin
 */
export function createClockSync(now) {
  /** @type {{roundTrip: number, offset: number}[]} */
  let samples = []
  let isRenewed = false

  /** Samples with a short round trip are exact: the mean of the best quarter is used. */
  const best = () =>
    samples.toSorted((one, other) => one.roundTrip - other.roundTrip).slice(0, Math.ceil(samples.length / 4))
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  const offset = () => (samples.length === 0 ? 0 : mean(best().map((sample) => sample.offset)))

  return {
    /**
     * @param {{clientTime: number, serverTime: number, serverSendTime: number}} pong milliseconds
     * @param {number} receivedAt client time of its arrival
     */
    add({ clientTime, serverTime, serverSendTime }, receivedAt) {
      const roundTrip = receivedAt - clientTime - (serverSendTime - serverTime)
      if (!(roundTrip >= 0 && roundTrip <= MAX_ROUND_TRIP_MILLISECONDS)) return
      const sample = { roundTrip, offset: (serverTime - clientTime + serverSendTime - receivedAt) / 2 }
      const hasJumped = samples.length > 0 && Math.abs(sample.offset - offset()) > roundTrip / 2 + JUMP_MILLISECONDS
      samples = hasJumped || isRenewed ? [sample] : [...samples, sample].slice(-KEPT_SAMPLES)
      isRenewed = false
    },
    /** A new connection, perhaps to another server: its first answer replaces all earlier ones, which count until then. */
    renew() {
      isRenewed = true
    },
    /** Another server, whose clock may differ: the time is unknown until its first answer. */
    forget() {
      samples = []
    },
    isKnown: () => samples.length > 0,
    /** The server time in milliseconds, now or at a client time. */
    serverTime: (clientTime = now()) => clientTime + offset(),
    /** The client time in milliseconds of a server time. */
    clientTime: (serverTime) => serverTime - offset(),
    /** Round trip in milliseconds; undefined before the first answer. */
    roundTrip: () => (samples.length === 0 ? undefined : mean(best().map((sample) => sample.roundTrip))),
  }
}
