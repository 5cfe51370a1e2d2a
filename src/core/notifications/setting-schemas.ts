import { z } from 'zod'

/** Text without control characters, so that it cannot end a header line. */
export const PlainText = z.string().regex(/^[^\p{Cc}]{1,1024}$/u, 'must be text on one line')

/** A credential for a header: printable characters without spaces. */
export const HeaderCredential = z.string().regex(/^[\x21-\x7E]{1,512}$/, 'must be printable characters without spaces')

export const WebAddressSetting = z
  .string()
  .regex(/^https?:\/\/[^\s\p{Cc}]{1,2000}$/u, 'must be an http or https address')

/** An address to which paths are appended. */
export const ServerAddressSetting = z
  .string()
  .regex(/^https?:\/\/[^\s\p{Cc}?#]{1,2000}$/u, 'must be an http or https address without a query')
  .transform((url) => url.replace(/\/+$/, ''))
