import { defineErrors } from '../errors/index.ts'

export const fileErrors = defineErrors({
  file_not_found: {
    kind: 'not_found',
    title: 'File not found',
    doc: 'The file of an item is no longer on the disk, or a file that a command names is not there.',
  },
  path_outside_root: {
    kind: 'denied',
    title: 'Path outside the library',
    doc: 'A path, or what a symbolic link points to, lies outside the folder that it must be in.',
  },
  not_a_regular_file: {
    kind: 'invalid',
    title: 'Not a regular file',
    doc: 'A path names a directory, pipe, socket or device where a file is needed.',
  },
  file_unreadable: {
    kind: 'denied',
    title: 'File cannot be read',
    doc: 'The process may not open the file, or the device answers with an error.',
  },
  folder_unavailable: {
    kind: 'unavailable',
    title: 'Folder is not available',
    doc: 'The top folder of a walk is missing, is not a directory or cannot be listed; nothing is known about its files.',
  },
})
