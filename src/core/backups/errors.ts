import { defineErrors } from '../platform/errors/index.ts'

export const backupErrors = defineErrors({
  backup_not_found: {
    kind: 'not_found',
    title: 'Backup not found',
    doc: 'No backup of the folder has this id, and no file has this path.',
  },
  backup_damaged: {
    kind: 'conflict',
    title: 'Backup is damaged',
    doc: 'The archive is damaged, incomplete or no backup of Phlix; the message names the first difference. Nothing was changed. Exit code 4.',
  },
  backup_too_new: {
    kind: 'misconfigured',
    title: 'Backup is newer than this program',
    doc: 'The archive was made by a newer release. Nothing was changed.',
  },
  backup_busy: {
    kind: 'busy',
    title: 'Another backup is running',
    doc: 'A backup of this database is being made or restored.',
  },
  backup_timeout: {
    kind: 'busy',
    title: 'The backup took too long',
    doc: 'The snapshot of the database was open for 30 minutes. It was ended, because it delays the clean-up of the database.',
  },
  backup_no_space: {
    kind: 'io',
    title: 'Not enough free disk space',
    doc: 'A backup, its verification or its restore needs more space than `hls.min_disk_space_bytes` leaves. Nothing was changed.',
  },
  backup_write_failed: {
    kind: 'io',
    title: 'The backup could not be written',
    doc: 'The file system reported an error. The incomplete archive was removed.',
  },
  backup_is_folder: {
    kind: 'conflict',
    title: 'The backup is a folder',
    doc: 'An entry of the folder of backups has the name of an archive and is a folder. Phlix removes no folders that it has not made.',
  },
  backup_exists: {
    kind: 'conflict',
    title: 'Another backup has this name',
    doc: 'The bucket or the folder has another archive with this name. Neither of them is changed.',
  },
  backup_installation_id: {
    kind: 'misconfigured',
    title: 'The installation id is not valid',
    doc: '`installation-id` in the data directory holds no id. Without the file a new one is made; older copies in the bucket are kept then.',
  },
  backup_no_bucket: {
    kind: 'misconfigured',
    title: 'No bucket is configured',
    doc: '`backups.s3.bucket` is empty, or its access key or secret is missing.',
  },
  backup_passphrase: {
    kind: 'denied',
    title: 'Passphrase required',
    doc: 'The backup is encrypted, and the passphrase is missing or wrong.',
  },
  restore_not_empty: {
    kind: 'conflict',
    title: 'A database already exists',
    doc: 'A restore replaces an existing database only with `--force`.',
  },
  restore_in_use: {
    kind: 'busy',
    title: 'The database is in use',
    doc: 'A server or a command uses the database that the restore would replace. Stop it first.',
  },
  restore_no_right: {
    kind: 'denied',
    title: 'The role may not create databases',
    doc: 'The restore needs a new database. The hint has the statement for an administrator of the database server.',
  },
  restore_interrupted: {
    kind: 'io',
    title: 'An interrupted restore cannot be finished',
    doc: '`restore.json` in the data directory lists files to rename, and one of them is not where it should be.',
  },
})
