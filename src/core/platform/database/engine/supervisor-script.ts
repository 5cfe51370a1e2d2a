/** How a keeper is recognized among processes: the word after its script, before its data directory. */
export const SUPERVISOR_NAME = 'phlix-keeper'

/**
 * The keeper of an embedded engine, a POSIX shell that waits in `read` (dash on Debian: 0.3 MiB; a Node process has 50 MiB and more).
 * `sh -c SCRIPT phlix-keeper DATA_DIRECTORY FOLDER PROGRAM ARGUMENT...`; FOLDER holds the pipes of keeper-pipes.ts.
 *
 * - The program (the server, or what becomes it) starts as its child. KEEPER lets it find out that its keeper has died before the
 *   kernel was asked to tell it.
 * - Each lease writes a line when it is taken, and `read` sees the end of the file when the last one is gone. Then the keeper waits a
 *   second for the next lease, if there was one at all.
 * - Before it stops the server it renames the pipe of leases, so that nothing finds it any more, and reads once more: a lease that was
 *   taken before is in the pipe and keeps the engine (keeper-pipes.ts checks the name after it has written the line).
 * - The state of the server comes from /proc/PID/stat: a pid that has been used again has another parent.
 * - Signals end it only while it starts: a service manager sends them to all processes of a unit, and a daemon that still holds a lease
 *   needs the database to stop well.
 * - No child keeps the pipes that tell of the keeper.
 */
export const SUPERVISOR_SCRIPT = `# keeps the embedded database of Phlix while a process uses it
folder=$2
shift 2
exec 4<>"$folder/keeper" 5<>"$folder/server" 9<>"$folder/lease" 3<"$folder/lease" 9>&-
KEEPER=$$ "$@" 3<&- 4>&- &
server=$!
trap '' TERM INT HUP
exec 5>&-
apart() { "$@" 3<&- 4>&-; }
runs() {
  state= parent=
  { read -r _ _ state parent _ <"/proc/$server/stat"; } 2>/dev/null
  [ "$parent" = $$ ] && [ "$state" != Z ]
}
used=
while :; do
  if read -r _ <&3; then used=yes
  elif ! runs; then break
  elif [ "$used" ]; then used=; apart sleep 1
  else
    apart mv "$folder/lease" "$folder/closed"
    read -r _ <&3 || break
    apart mv "$folder/closed" "$folder/lease"
    used=yes
  fi
done
tenths=0
while runs; do
  if [ $tenths -lt 200 ]; then signal=INT; elif [ $tenths -lt 250 ]; then signal=QUIT; else signal=KILL; fi
  kill -$signal $server
  apart sleep 0.1
  tenths=$((tenths + 1))
done
apart rm -rf "$folder"
`

/** What the server's process does first: with its keeper gone already, it ends. The words after it become the server. */
export const ONLY_WITH_SUPERVISOR = '[ "$PPID" = "$KEEPER" ] && exec "$@"'
