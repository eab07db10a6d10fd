# RHEL and its kin drop connections between nodes: firewalld is to trust the addresses of the cluster. Prints nothing.
if command -v firewall-cmd > /dev/null && firewall-cmd --state > /dev/null 2>&1; then
    if ! firewall-cmd --permanent --zone=trusted --query-source=@RANGE@ > /dev/null 2>&1; then
        firewall-cmd --permanent --zone=trusted --add-source=@RANGE@ > /dev/null && firewall-cmd --reload > /dev/null
    fi
fi
