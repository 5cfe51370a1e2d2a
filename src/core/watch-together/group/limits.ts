/** Limits of a group. Times are in milliseconds. */
export const GROUP_LIMITS = {
  members: 64,
  groupsOfAccount: 8,
  groups: 1000,
  nameLength: 100,
  memberNameLength: 64,
  chatMessages: 50,
  /** Length of the kept messages as JSON: they are in every welcome. */
  chatBytes: 32_768,
  chatLength: 1000,
  queueEntries: 100,
  /** Three years; larger values are not positions in a film. */
  positionMilliseconds: 1e11,
  minRate: 0.25,
  maxRate: 4,
} as const

/** The longest delay that a member causes by never being ready. It includes the time until the start command is due. */
const MAX_DELAY_MILLISECONDS = 10_000

const MAX_LEAD_MILLISECONDS = 1500

/** Times of the protocol in milliseconds. */
export const GROUP_TIMES = {
  /** Maximum wait for a member that is not ready. */
  barrier: MAX_DELAY_MILLISECONDS - MAX_LEAD_MILLISECONDS,
  /** Limits of the time between a start command and the start. The command must reach every member before the start. */
  minLead: 300,
  maxLead: MAX_LEAD_MILLISECONDS,
  /** Shorter stalls do not pause the group, because the client catches up by itself. */
  stallGrace: 1000,
  /** One member pauses the group for a stall at most once in this time. */
  stallPause: 30_000,
  /** How long a disconnected member keeps its seat. */
  seat: 60_000,
  /** Another member becomes host if the host is away for this time. */
  hostGrace: 10_000,
  /** A position this close to the end counts as the end, because players round positions. */
  end: 500,
  /** How long a group without activity exists. */
  idle: 3_600_000,
  /** States of the whole group are sent at most this often. */
  announcement: 1000,
} as const
