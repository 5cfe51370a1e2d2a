import { defineErrors } from '../errors/index.ts'

export const fileErrors = defineErrors({
  file_not_found: {
    kind: 'not_found',
    title: 'File not found',
    doc: 'The file of an item no longer exists, or the file argument of a command does not exist.',
  },
  path_outside_root: {
    kind: 'denied',
    title: 'Path outside the library',
    doc: 'A path, or the target of a symbolic link, is outside the required folder.',
  },
  not_a_regular_file: {
    kind: 'invalid',
    title: 'Not a regular file',
    doc: 'A path names a directory, pipe, socket or device where a file is needed.',
  },
  file_unreadable: {
    kind: 'denied',
    title: 'File cannot be read',
    doc: 'The process has no permission to open the file, or the device reports an error.',
  },
  folder_unavailable: {
    kind: 'unavailable',
    title: 'Folder is not available',
    doc: 'The top folder of a walk is missing, is not a directory or cannot be listed. The state of its files is unknown.',
  },
})
