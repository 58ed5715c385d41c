# Every page's: it is a tenant of its own; streams end after a while, which is no fault.
curl() {
  local seconds=30
  case " $* " in *" -sN "*) seconds=2 ;; esac
  command curl --max-time "$seconds" -H "Flowstone-Tenant: $FLOWSTONE_TENANT" "$@" || [ $? -eq 28 ]
}
member() { sed 's/.*"'"$1"'":"\([^"]*\)".*/\1/'; }
active() {
  curl -s -X POST "$api/workflows" -H "$json" -d "$2"
  curl -s -X POST "$api/workflows/$1/publish"
}
echoes() {
  active "$1" '{"id": "'"$1"'", "displayName": "'"$1"'", "startNode": "a", "nodes": [{"id": "a", "actionType": "core.echo"}]}'
}
api=http://127.0.0.1:8080/api/v1
json='Content-Type: application/json'
