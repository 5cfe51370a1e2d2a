import { defineErrors } from '../platform/errors/index.ts'

export const themeMediaErrors = defineErrors({
  theme_media_not_found: {
    kind: 'not_found',
    title: 'Theme media not found',
    doc: 'The library has no theme song or backdrop video of this kind, or no scan has searched for it yet.',
  },
})
