# shellcheck shell=sh
# What the script was told: its options, the address and the token.

read_words() {
  token='' token_file='' interval='' name='' sums='' secure='' allow_http='' uninstalling='' kind='' auto_update='' no_service=''
  while [ $# -gt 0 ]; do
    case $1 in
      --uninstall) uninstalling=1 ;;
      --allow-http) allow_http=1 ;;
      --light) kind=light ;;
      --executable) kind=executable ;;
      --auto-update) auto_update=1 ;;
      --no-service) no_service=1 ;;
      --server | --sha256 | --token | --token-file | --interval | --name)
        [ $# -gt 1 ] || give_up "$1 needs a value"
        case $1 in
          --server) server=$2 ;;
          --sha256) add_sum "$2" ;;
          --token) token=$2 ;;
          --token-file) token_file=$2 ;;
          --interval) interval=$2 ;;
          --name) name=$2 ;;
        esac
        shift
        ;;
      *) give_up "there is no option $1 (there are --server, --sha256, --token-file, --token, --interval, --name, --light, --executable, --auto-update, --no-service, --allow-http and --uninstall)" ;;
    esac
    shift
  done
  case $interval in *[!0-9]* | ??????*) give_up "--interval is a number of seconds from 1 to 86400" ;; esac
  if [ -n "$interval" ] && { [ "$interval" -lt 1 ] || [ "$interval" -gt 86400 ]; }; then
    give_up "--interval is a number of seconds from 1 to 86400"
  fi
  # The name stands between double quotes in a file that a shell may read.
  case $name in *[\"\\\$\`]* | *"$newline"*) give_up "--name may hold no quotes, backslashes or dollar signs" ;; esac
  [ -n "$uninstalling" ] || check_words
}

# The command may name the checksums of several files. One that it does not name is not installed.
add_sum() {
  case $1 in *[!0-9a-f]*) set -- '' ;; esac
  [ ${#1} -eq 64 ] || give_up "--sha256 holds no checksum as the hub shows it"
  sums=${sums:+$sums or }$1
}

check_words() {
  check_server
  if [ -n "$token_file" ] && [ -z "$token" ]; then read_token; fi
  case $token in *[!A-Za-z0-9._~-]*) give_up "this is no token as the hub shows them" ;; esac
}

# Over http:// everybody on the way can read the token and change the program, which then runs as root.
check_server() {
  server=${server%/}
  case $server in
    *[!][A-Za-z0-9.:/_~%-]*) give_up "--server holds a character that no address of a hub has" ;;
    https://?*)
      [ -n "$allow_http" ] || secure=1
      return 0
      ;;
    http://?*) ;;
    *) give_up "--server is the hub's address and starts with https:// or http://" ;;
  esac
  host=${server#http://}
  host=${host%%/*}
  case $host in
    localhost | localhost:* | '[::1]' | '[::1]:'*) return 0 ;;
    127.*) case ${host%%:*} in *[!0-9.]*) ;; *) return 0 ;; esac ;;
  esac
  [ -n "$allow_http" ] ||
    give_up "$server is not encrypted: others on the network could change what is installed here. Give --server https://…, or --allow-http if you trust the network between this machine and the hub."
}

read_token() {
  if [ "$token_file" = - ]; then
    if [ -t 0 ]; then printf 'Token: '; fi
    IFS= read -r token || [ -n "$token" ] || give_up "--token-file -: there is no token on standard input"
  else
    [ -r "$token_file" ] || give_up "--token-file: cannot read $token_file"
    token=$(head -n 1 "$token_file")
  fi
  token=$(printf '%s' "$token" | tr -d ' \t\r')
  [ -n "$token" ] || give_up "--token-file holds no token"
}
