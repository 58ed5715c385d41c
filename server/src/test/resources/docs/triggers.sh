echoes order
echoes report
echoes invoice
