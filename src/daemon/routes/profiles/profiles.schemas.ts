import { Type } from 'typebox'
import { Nullable } from '../../http/schemas.ts'

/** `is_active`: whether it is the profile of the request. */
const ProfileRow = Type.Object({
  id: Type.String(),
  user_id: Type.String(),
  name: Type.String(),
  avatar: Nullable(Type.String()),
  is_main: Type.Boolean(),
  is_kids: Type.Boolean(),
  is_active: Type.Boolean(),
  rating: Type.Integer(),
  content_rating: Type.String(),
  max_age: Nullable(Type.Integer()),
  allow_unrated: Type.Boolean(),
  library_ids: Nullable(Type.Array(Type.String())),
  can_download: Type.Boolean(),
  has_pin: Type.Boolean(),
  pin_required_for_admin: Type.Boolean(),
  created_at: Type.String(),
  updated_at: Type.String(),
})

/** The limit by age is one of `rating` (a rank), `content_rating` (a word) and `max_age` (years). */
const Fields = {
  is_kids: Type.Optional(Type.Boolean()),
  avatar: Type.Optional(Nullable(Type.String())),
  rating: Type.Optional(Nullable(Type.Integer())),
  content_rating: Type.Optional(Nullable(Type.String({ maxLength: 50 }))),
  max_age: Type.Optional(Nullable(Type.Integer())),
  allow_unrated: Type.Optional(Type.Boolean()),
  library_ids: Type.Optional(Nullable(Type.Array(Type.String(), { maxItems: 10_000 }))),
  can_download: Type.Optional(Type.Boolean()),
  pin_required_for_admin: Type.Optional(Type.Boolean()),
}

/** What shows that the person may change the profile. */
const Proof = {
  current_pin: Type.Optional(Type.String()),
  password: Type.Optional(Type.String()),
}

export const NewProfileBody = Type.Object({
  name: Type.String(),
  ...Fields,
  pin: Type.Optional(Nullable(Type.String())),
})

export const ProfileChangesBody = Type.Object({
  name: Type.Optional(Type.String()),
  ...Fields,
  is_active: Type.Optional(Type.Unknown()),
  ...Proof,
})

export const DeletionBody = Type.Optional(Nullable(Type.Object(Proof)))

export const PinBody = Type.Object({ pin: Type.Optional(Nullable(Type.String())), ...Proof })

/** Any text: what is no PIN is a wrong one. */
export const VerifyBody = Type.Object({ pin: Type.String() })

/** The PIN of the profile or the password of the account, unless the PIN was verified before. */
export const SwitchBody = Type.Optional(
  Nullable(Type.Object({ pin: Type.Optional(Type.String()), password: Type.Optional(Type.String()) })),
)

export const Profiles = Type.Object({ profiles: Type.Array(ProfileRow) })
export const OneProfile = Type.Object({ profile: ProfileRow })
export const CreatedProfile = Type.Object({ profile_id: Type.String(), message: Type.String(), profile: ProfileRow })
export const ChangedProfile = Type.Object({ message: Type.String(), profile: ProfileRow })
export const Verified = Type.Object({ verified: Type.Literal(true) })

export const ExplainQuery = Type.Object({ item: Type.String() })

export const Explanation = Type.Object({
  visible: Type.Boolean(),
  reasons: Type.Array(Type.Object({ code: Type.String(), of: Type.String(), message: Type.String() })),
})
