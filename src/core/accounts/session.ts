/** One sign-in: a family of refresh tokens, and every access token that was issued for it. */
export type Session = { accountId: string; sessionId: string }

/** A row of a refresh token. The daemon encodes the JWT from exactly these values, so that equal rows give equal JWTs. */
export type RefreshToken = {
  /** 32 hexadecimal characters; the claim `jti`. */
  jti: string
  familyId: string
  accountId: string
  /** Whole seconds, like the claims `iat` and `exp`. */
  issuedAt: Date
  expiresAt: Date
}
