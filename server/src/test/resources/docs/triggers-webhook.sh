trigger() { curl -s "$api/triggers?workflowId=$1" | grep -o '"id":"[^"]*"' | cut -d '"' -f 4; }
TRIGGER=$(trigger order)
new=whsec_$(openssl rand -base64 32)
