import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

/** The domain checks the value. */
export const EmailBody = Type.Object({ email: Type.Optional(Type.Unknown()) })

export const PasswordBody = Type.Object({ current_password: Type.String(), new_password: Type.String() })

export const LinkList = Type.Object({
  links: Type.Array(
    Type.Object({
      provider: Type.String(),
      name: Nullable(Type.String()),
      subject: Type.String(),
      created_at: Type.String(),
    }),
  ),
})
