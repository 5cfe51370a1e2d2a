import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A token that resumes a seat, and the hash under which it is kept. */
export function createResumeToken(): { resumeToken: string; resumeHash: string } {
  const resumeToken = randomBytes(24).toString('base64url')
  return { resumeToken, resumeHash: sha256(resumeToken) }
}

export function isResumeToken(resumeToken: string, resumeHash: string): boolean {
  return isEqual(sha256(resumeToken), resumeHash)
}

/** The SHA-256 of a password in hexadecimal, as clients send it. */
export function clientPasswordHash(password: string): string {
  return sha256(password)
}

/** Hashes a password for storage. Clients know its plain hash, so the id of the group is added. */
export function hashGroupPassword(groupId: string, clientHash: string): string {
  return sha256(`${groupId}:${clientHash.toLowerCase()}`)
}

export function isValidGroupPassword(
  { id, passwordHash }: { id: string; passwordHash: string },
  clientHash: string,
): boolean {
  return isEqual(hashGroupPassword(id, clientHash), passwordHash)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
