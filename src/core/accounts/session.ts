/** One sign-in: a family of refresh tokens, and every access token that was issued for it. */
export type Session = { accountId: string; sessionId: string }

/** A session in the profile that it had when its access token was issued. */
export type SessionInProfile = Session & { profileId: string; epoch: number }

/** A row of a refresh token. The daemon encodes the JWT from exactly these values, so that equal rows give equal JWTs. */
export type RefreshToken = {
  /** 32 hexadecimal characters; the claim `jti`. */
  jti: string
  familyId: string
  accountId: string
  /** The profile of the session now, and how often it has changed. */
  profileId: string
  epoch: number
  /** Whole seconds, like the claims `iat` and `exp`. */
  issuedAt: Date
  expiresAt: Date
}
