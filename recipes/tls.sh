# Give a class's cluster one certificate, which scheduler, workers and `attn` show each other: who
# has not got the key reaches none of them. In each shell where one of them starts:
#
#     ATTN_TLS=FOLDER; . recipes/tls.sh
#
# FOLDER is made if it is not there, for you alone; on a machine that does not share it, copy it.
if [ ! -s "$ATTN_TLS/key.pem" ]; then
    mkdir -p -m 700 "$ATTN_TLS"
    (umask 077 && openssl req -x509 -newkey rsa:3072 -nodes -days 30 -subj /CN=attn \
        -keyout "$ATTN_TLS/key.pem" -out "$ATTN_TLS/cert.pem" 2>/dev/null)
fi
attn_comm=DASK_DISTRIBUTED__COMM
export "${attn_comm}__REQUIRE_ENCRYPTION=True"
export "${attn_comm}__TLS__CA_FILE=$ATTN_TLS/cert.pem"
for attn_role in CLIENT SCHEDULER WORKER; do
    export "${attn_comm}__TLS__${attn_role}__CERT=$ATTN_TLS/cert.pem"
    export "${attn_comm}__TLS__${attn_role}__KEY=$ATTN_TLS/key.pem"
done
