import { defineErrors } from '../platform/errors/index.ts'

export const analysisErrors = defineErrors({
  markers_invalid: {
    kind: 'invalid',
    title: 'These markers cannot be stored',
    doc: 'A marker begins before 0, ends before its beginning or after the end of the film, or a type occurs twice, or the item has no film. `message` has the reason.',
  },
  marker_not_found: {
    kind: 'not_found',
    title: 'No such marker',
    doc: 'The item has no marker of this type.',
  },
})
