import t from 'tap'
import { runPhlix } from '../../support/phlix.ts'

void t.test('a unit is printed with the path of this program', async (t) => {
  const { code, stdout } = await runPhlix(['systemd:print'])
  t.equal(code, 0)
  t.match(stdout, /^\[Service\]$/m)
  t.match(stdout, /^ExecStart=\/\S+ serve$/m)
  t.match((await runPhlix(['systemd:print', 'phlix-scan@.timer'])).stdout, /^\[Timer\]$/m)
  const backup = await runPhlix(['systemd:print', 'phlix-backup.service'])
  t.match(backup.stdout, /^ExecStart=\/\S+ backup:create .*\nExecStart=\/\S+ backup:prune /m)
  t.match((await runPhlix(['systemd:print', 'phlix-hub.service'])).stdout, /^ExecStart=\/\S+ hub:serve$/m)
  t.match(await runPhlix(['systemd:print', '../../../etc/passwd']), { code: 2, stderr: /phlix\.service/ })
})
