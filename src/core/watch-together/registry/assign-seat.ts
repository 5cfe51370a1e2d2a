import { randomUUID } from 'node:crypto'
import { watchGroupErrors } from '../group/errors.ts'
import type { WatchGroup, GroupMember } from '../group/group.ts'
import type { GroupEvent } from '../group/inputs.ts'
import { isValidGroupPassword, isResumeToken, createResumeToken } from './secrets.ts'

/** A client that joins. Its identity comes from its access token. */
export type JoiningClient = {
  profileId: string
  username: string
  sessionId: string
  /** Shown name; default: the username. */
  name?: string | undefined
  /** SHA-256 of the password in hexadecimal. */
  clientHash?: string | undefined
  resumeToken?: string | undefined
  /** Whether its client reports when it is ready to play. */
  reportsReadiness: boolean
}

/** A seat, and the token that resumes it. */
export type Seat = { memberId: string; resumeToken: string }

/**
 * Decides which seat a client gets: the seat of its resume token, else the seat of its session, else a new seat.
 * @throws AppError `wrong_group_password`
 */
export function assignSeat(group: WatchGroup, joiner: JoiningClient): { seat: Seat; input: GroupEvent } {
  const { profileId, username, sessionId, reportsReadiness } = joiner
  const own = findOwnSeat(group, joiner)
  const isResumed =
    own !== undefined && joiner.resumeToken !== undefined && isResumeToken(joiner.resumeToken, own.resumeHash)
  const { resumeToken, resumeHash } = isResumed
    ? { resumeToken: joiner.resumeToken ?? '', resumeHash: own.resumeHash }
    : createResumeToken()
  if (own !== undefined) {
    const input: GroupEvent = { kind: 'resume', memberId: own.id, sessionId, resumeHash, reportsReadiness }
    return { seat: { memberId: own.id, resumeToken }, input }
  }
  checkPassword(group, joiner)
  const id = randomUUID()
  const member = { id, profileId, username, sessionId, name: shownName(joiner), resumeHash, reportsReadiness }
  return { seat: { memberId: id, resumeToken }, input: { kind: 'join', member } }
}

/** Adds the username to a chosen name, so that no member can pretend to be another one. */
function shownName({ name, username }: JoiningClient): string {
  if (name === undefined) return username
  return name.toLowerCase() === username.toLowerCase() ? name : `${name} (${username})`
}

/** Finds the seat of a resume token. A token of another account is ignored. */
function findOwnSeat(
  { members }: WatchGroup,
  { profileId, sessionId, resumeToken }: JoiningClient,
): GroupMember | undefined {
  const own = [...members.values()].filter((member) => member.profileId === profileId)
  const resumed =
    resumeToken === undefined ? undefined : own.find(({ resumeHash }) => isResumeToken(resumeToken, resumeHash))
  return resumed ?? own.find((member) => member.sessionId === sessionId)
}

function checkPassword({ id, passwordHash }: WatchGroup, { clientHash }: JoiningClient): void {
  if (passwordHash === null) return
  if (clientHash === undefined) throw watchGroupErrors.wrong_group_password({ message: 'The group needs a password' })
  if (!isValidGroupPassword({ id, passwordHash }, clientHash)) throw watchGroupErrors.wrong_group_password()
}
