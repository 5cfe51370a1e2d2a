# Completion of phlix in bash. Copy it to ~/.local/share/bash-completion/completions/phlix.
# This file is written by `npm run docs` from src/commands.

_phlix() {
  local line=${COMP_LINE:0:COMP_POINT} words word before flags=
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  word=${words[-1]}
  before=${words[-2]}
  if ((${#words[@]} == 2)); then
    local colon=${word%"${word##*:}"}
    mapfile -t COMPREPLY < <(compgen -W 'api apikey:create apikey:list apikey:revoke backup:create backup:download backup:list backup:prune backup:restore backup:upload backup:verify cache:stats cache:sweep collection:list collection:refresh config:export config:get config:import config:set config:show config:unset config:validate device:list device:revoke doctor exit-codes hub:pair hub:serve hub:server:disable hub:server:list hub:status hub:unpair hub:user:create hwaccel:probe invite:create invite:list invite:revoke job:cancel job:list job:retry job:show key:rotate key:show library:cancel library:clear-metadata library:create library:delete library:health library:history library:list library:match library:prune library:refresh-metadata library:scan library:status library:update logs:tail markers:work media:edit media:explain media:inspect media:list media:markers media:match media:refresh media:show media:trickplay migrate network:forward-port network:status notify:create notify:delete notify:list notify:test playlist:list playlist:preview playlist:show plugin:add-source plugin:catalog plugin:configure plugin:disable plugin:enable plugin:info plugin:install plugin:list plugin:new plugin:remove-source plugin:uninstall plugin:update plugin:updates request:approve request:deny request:list schema scrobbler:connect scrobbler:disconnect scrobbler:list serve session:control session:kill session:list setup:code source:backfill stats:playback stats:rebuild stats:top-media stats:top-users status systemd:print transcode:cancel transcode:list user:create user:delete user:disable user:enable user:export user:link user:list user:passkeys user:rescue user:reset-password user:set-admin user:show user:update version webhook:create webhook:delete webhook:deliveries webhook:list webhook:redeliver webhook:test' -- "$word")
    [[ $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"$colon"}")
    return
  fi
  case $before in
    --config) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --data-dir) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --field) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --input) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --progress) mapfile -t COMPREPLY < <(compgen -W 'auto plain json none' -- "$word"); return ;;
    --server) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --token-file) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --days) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --scope) mapfile -t COMPREPLY < <(compgen -W 'read play libraries admin' -- "$word"); return ;;
    --user) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --include) mapfile -t COMPREPLY < <(compgen -W 'artwork' -- "$word"); return ;;
    --label) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --passphrase-file) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --to) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --folder) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --keep-daily) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --keep-last) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --keep-monthly) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --keep-weekly) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --into-database) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --library) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --bundle) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --only) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --time-limit) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --account) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --hub) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --name) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --host) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --port) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --email) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --password) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --password-file) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --encoder) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --max-rating) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --max-uses) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --limit) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --state) mapfile -t COMPREPLY < <(compgen -W 'queued running completed failed cancelled' -- "$word"); return ;;
    --job) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --timeout) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --path) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --type) mapfile -t COMPREPLY < <(compgen -W 'movie tv' -- "$word"); return ;;
    --add-path) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --auto-collections) mapfile -t COMPREPLY < <(compgen -W 'on off' -- "$word"); return ;;
    --display-order) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --option) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --remove-path) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --level) mapfile -t COMPREPLY < <(compgen -W 'debug info notice warning error critical alert emergency' -- "$word"); return ;;
    --lines) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --since) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --interval) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --genre) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --overview) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --poster) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --reset) mapfile -t COMPREPLY < <(compgen -W 'title sort-title year overview genre poster' -- "$word"); return ;;
    --sort-title) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --title) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --year) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --profile) mapfile -t COMPREPLY < <(compgen -W 'generic mobile-low mobile-high web tv-4k' -- "$word"); return ;;
    --root) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --offset) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --parent) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --item) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --tmdb) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --external) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --protocol) mapfile -t COMPREPLY < <(compgen -W 'auto nat-pmp upnp' -- "$word"); return ;;
    --event) mapfile -t COMPREPLY < <(compgen -W 'playback.started playback.ended library.updated passkey.added device.added backup.completed backup.failed' -- "$word"); return ;;
    --service) mapfile -t COMPREPLY < <(compgen -W 'discord slack telegram ntfy pushover apprise mqtt' -- "$word"); return ;;
    --set) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --settings-file) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --rules) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --set-from-file) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --key) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --sha256) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --from) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --reason) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --status) mapfile -t COMPREPLY < <(compgen -W 'pending success failed all' -- "$word"); return ;;
    --websocket-port) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --position) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --volume) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --chart) mapfile -t COMPREPLY < <(compgen -W 'plays time' -- "$word"); return ;;
    --output) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --provider) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --subject) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
    --secret-file) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    --webhook) mapfile -t COMPREPLY < <(compgen -W '' -- "$word"); return ;;
  esac
  case ${words[1]} in
    api) flags='--config --data-dir --field --input --json --no-color --no-input --progress --quiet --server --token-file --verbose' ;;
    apikey:create) flags='--config --data-dir --days --json --no-color --no-input --progress --quiet --scope --user --verbose' ;;
    apikey:list) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --user --verbose' ;;
    apikey:revoke) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    backup:create) flags='--config --data-dir --details --include --json --label --no-color --no-input --passphrase-file --progress --quiet --to --upload --verbose' ;;
    backup:download) flags='--config --data-dir --json --no-color --no-input --progress --quiet --to --verbose' ;;
    backup:list) flags='--config --data-dir --folder --json --no-color --no-input --plain --progress --quiet --remote --verbose' ;;
    backup:prune) flags='--all-servers --config --data-dir --dry-run --folder --json --keep-daily --keep-last --keep-monthly --keep-weekly --no-color --no-input --progress --quiet --remote --verbose --yes' ;;
    backup:restore) flags='--config --data-dir --folder --force --into-database --json --keep-config --no-color --no-input --passphrase-file --progress --quiet --verbose --yes' ;;
    backup:upload) flags='--config --data-dir --folder --json --no-color --no-input --progress --quiet --verbose' ;;
    backup:verify) flags='--config --data-dir --folder --json --no-color --no-input --passphrase-file --progress --quiet --verbose' ;;
    cache:stats) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    cache:sweep) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    collection:list) flags='--config --data-dir --json --library --no-color --no-input --plain --progress --quiet --verbose' ;;
    collection:refresh) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    config:export) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose --with-secrets' ;;
    config:get) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    config:import) flags='--config --data-dir --dry-run --force --json --no-color --no-input --progress --quiet --verbose' ;;
    config:set) flags='--check --config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    config:show) flags='--config --data-dir --json --no-color --no-input --origin --plain --progress --quiet --verbose' ;;
    config:unset) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    config:validate) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    device:list) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --user --verbose' ;;
    device:revoke) flags='--all --config --data-dir --json --no-color --no-input --progress --quiet --user --verbose' ;;
    doctor) flags='--bundle --config --data-dir --fix --json --no-color --no-input --only --plain --progress --quiet --time-limit --verbose --with-paths' ;;
    exit-codes) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    hub:pair) flags='--account --config --data-dir --hub --json --name --no-color --no-input --progress --quiet --verbose' ;;
    hub:serve) flags='--config --data-dir --host --json --no-color --no-input --port --progress --quiet --verbose' ;;
    hub:server:disable) flags='--config --data-dir --enable --json --no-color --no-input --progress --quiet --verbose' ;;
    hub:server:list) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --verbose' ;;
    hub:status) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    hub:unpair) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    hub:user:create) flags='--admin --config --data-dir --email --json --no-color --no-input --password --password-file --password-stdin --progress --quiet --verbose' ;;
    hwaccel:probe) flags='--config --data-dir --encoder --json --no-color --no-input --progress --quiet --test --verbose' ;;
    invite:create) flags='--allow-unrated --config --data-dir --days --json --library --max-rating --max-uses --no-color --no-input --progress --quiet --verbose' ;;
    invite:list) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --verbose' ;;
    invite:revoke) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    job:cancel) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    job:list) flags='--config --data-dir --json --limit --no-color --no-input --plain --progress --quiet --state --verbose' ;;
    job:retry) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    job:show) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    key:rotate) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    key:show) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    library:cancel) flags='--config --data-dir --job --json --no-color --no-input --progress --quiet --verbose' ;;
    library:clear-metadata) flags='--config --data-dir --dry-run --force --json --no-color --no-input --progress --quiet --timeout --verbose --yes' ;;
    library:create) flags='--config --data-dir --if-absent --json --no-color --no-input --path --progress --quiet --scan --type --verbose' ;;
    library:delete) flags='--config --data-dir --dry-run --json --no-color --no-input --progress --quiet --verbose --yes' ;;
    library:health) flags='--analysis --bad --config --data-dir --duplicates --json --limit --missing --no-color --no-input --plain --progress --quiet --unmatched --verbose' ;;
    library:history) flags='--config --data-dir --json --limit --no-color --no-input --plain --progress --quiet --verbose' ;;
    library:list) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --type --verbose' ;;
    library:match) flags='--config --data-dir --dry-run --force --json --no-color --no-input --progress --quiet --timeout --verbose' ;;
    library:prune) flags='--config --data-dir --dry-run --force --json --no-color --no-input --progress --quiet --timeout --verbose --yes' ;;
    library:refresh-metadata) flags='--config --data-dir --dry-run --force --json --no-color --no-input --progress --quiet --timeout --verbose' ;;
    library:scan) flags='--config --data-dir --force --json --match --no-color --no-input --progress --quiet --read-every-file --rescan --timeout --verbose --wait' ;;
    library:status) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --verbose' ;;
    library:update) flags='--add-path --auto-collections --config --data-dir --display-order --json --name --no-color --no-input --option --path --progress --quiet --remove-path --verbose' ;;
    logs:tail) flags='--config --data-dir --follow --json --level --lines --no-color --no-input --progress --quiet --since --verbose' ;;
    markers:work) flags='--config --data-dir --interval --json --no-color --no-input --once --progress --quiet --verbose' ;;
    media:edit) flags='--config --data-dir --genre --json --no-color --no-input --overview --poster --progress --quiet --reset --sort-title --title --verbose --year' ;;
    media:explain) flags='--config --data-dir --json --no-color --no-input --plain --profile --progress --quiet --verbose' ;;
    media:inspect) flags='--config --data-dir --json --no-color --no-input --progress --quiet --root --type --verbose' ;;
    media:list) flags='--config --data-dir --json --library --limit --no-color --no-input --offset --parent --plain --progress --quiet --search --type --unmatched --verbose --versions' ;;
    media:markers) flags='--config --data-dir --force --item --json --library --missing --no-color --no-input --progress --quiet --timeout --verbose' ;;
    media:match) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --search --tmdb --type --verbose --year' ;;
    media:refresh) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    media:show) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    media:trickplay) flags='--config --data-dir --force --item --json --library --missing --no-color --no-input --progress --quiet --timeout --verbose' ;;
    migrate) flags='--check --config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    network:forward-port) flags='--config --data-dir --external --json --no-color --no-input --progress --protocol --quiet --remove --verbose' ;;
    network:status) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    notify:create) flags='--config --data-dir --event --json --no-color --no-input --progress --quiet --service --set --settings-file --verbose' ;;
    notify:delete) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    notify:list) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --verbose' ;;
    notify:test) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    playlist:list) flags='--config --data-dir --json --library --no-color --no-input --plain --progress --quiet --verbose' ;;
    playlist:preview) flags='--config --data-dir --json --limit --no-color --no-input --plain --progress --quiet --rules --verbose' ;;
    playlist:show) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    plugin:add-source) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    plugin:catalog) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --verbose' ;;
    plugin:configure) flags='--config --data-dir --json --no-color --no-input --progress --quiet --set --set-from-file --verbose' ;;
    plugin:disable) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    plugin:enable) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    plugin:info) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    plugin:install) flags='--catalog --config --data-dir --json --key --no-color --no-input --progress --quiet --sha256 --verbose --yes' ;;
    plugin:list) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --verbose' ;;
    plugin:new) flags='--config --data-dir --json --no-color --no-input --progress --quiet --to --verbose' ;;
    plugin:remove-source) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    plugin:uninstall) flags='--config --data-dir --dry-run --json --no-color --no-input --progress --quiet --verbose' ;;
    plugin:update) flags='--all --config --data-dir --from --json --key --no-color --no-input --progress --quiet --rollback --sha256 --verbose --yes' ;;
    plugin:updates) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --verbose' ;;
    request:approve) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    request:deny) flags='--config --data-dir --json --no-color --no-input --progress --quiet --reason --verbose' ;;
    request:list) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --status --verbose' ;;
    schema) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    scrobbler:connect) flags='--config --data-dir --json --no-color --no-input --progress --quiet --token-file --user --verbose' ;;
    scrobbler:disconnect) flags='--config --data-dir --json --no-color --no-input --progress --quiet --user --verbose' ;;
    scrobbler:list) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --user --verbose' ;;
    serve) flags='--config --data-dir --host --json --no-color --no-input --port --progress --quiet --verbose --websocket-port' ;;
    session:control) flags='--config --data-dir --item --json --no-color --no-input --plain --position --progress --quiet --verbose --volume' ;;
    session:kill) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    session:list) flags='--config --data-dir --json --limit --no-color --no-input --plain --progress --quiet --user --verbose' ;;
    setup:code) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    source:backfill) flags='--config --data-dir --json --library --limit --no-color --no-input --progress --quiet --timeout --verbose' ;;
    stats:playback) flags='--chart --config --data-dir --days --from --json --no-color --no-input --plain --progress --quiet --to --verbose' ;;
    stats:rebuild) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    stats:top-media) flags='--chart --config --data-dir --days --json --limit --no-color --no-input --plain --progress --quiet --since --verbose' ;;
    stats:top-users) flags='--chart --config --data-dir --days --json --limit --no-color --no-input --plain --progress --quiet --since --verbose' ;;
    status) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose --watch' ;;
    systemd:print) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    transcode:cancel) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    transcode:list) flags='--config --data-dir --json --limit --no-color --no-input --plain --progress --quiet --verbose' ;;
    user:create) flags='--admin --allow-unrated --config --data-dir --email --json --library --max-rating --no-color --no-input --password --password-file --password-stdin --progress --quiet --verbose' ;;
    user:delete) flags='--config --data-dir --dry-run --json --no-color --no-input --progress --quiet --verbose --yes' ;;
    user:disable) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    user:enable) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    user:export) flags='--config --data-dir --json --no-color --no-input --output --progress --quiet --verbose' ;;
    user:link) flags='--config --data-dir --json --no-color --no-input --progress --provider --quiet --remove --subject --verbose' ;;
    user:list) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --verbose' ;;
    user:passkeys) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --remove --verbose' ;;
    user:rescue) flags='--config --data-dir --json --no-color --no-input --none --progress --quiet --verbose' ;;
    user:reset-password) flags='--config --data-dir --json --no-color --no-input --password --password-file --password-stdin --progress --quiet --remove-passkeys --revoke-api-keys --revoke-sessions --verbose' ;;
    user:set-admin) flags='--config --data-dir --json --no-color --no-input --progress --quiet --remove --verbose' ;;
    user:show) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    user:update) flags='--all-libraries --allow-unrated --config --data-dir --json --library --max-rating --no-color --no-input --no-max-rating --progress --quiet --verbose' ;;
    version) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    webhook:create) flags='--config --data-dir --event --json --no-color --no-input --progress --quiet --secret-file --verbose' ;;
    webhook:delete) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    webhook:deliveries) flags='--config --data-dir --json --limit --no-color --no-input --plain --progress --quiet --status --verbose --webhook' ;;
    webhook:list) flags='--config --data-dir --json --no-color --no-input --plain --progress --quiet --verbose' ;;
    webhook:redeliver) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
    webhook:test) flags='--config --data-dir --json --no-color --no-input --progress --quiet --verbose' ;;
  esac
  if [[ $word == -* ]]; then mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$word")
  else mapfile -t COMPREPLY < <(compgen -f -- "$word"); fi
}
complete -o filenames -F _phlix phlix
