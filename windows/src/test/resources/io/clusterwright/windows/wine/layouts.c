/* Writes what the headers of Windows say of structures, and memory in which such structures lie, for a reader in another language.
   Argument: the file. */
#define _WIN32_WINNT 0x0601
#include <winsock2.h>
#include <ws2tcpip.h>
#include <iphlpapi.h>
#include <windows.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static FILE *out;

static void offset(const char *name, size_t value) {
    fprintf(out, "offset %s %u\n", name, (unsigned)value);
}

static void dump(const char *name, const void *memory, size_t length, unsigned long long base) {
    const unsigned char *bytes = memory;
    fprintf(out, "memory %s %llu ", name, base);
    for (size_t i = 0; i < length; i++) {
        fprintf(out, "%02x", bytes[i]);
    }
    fputs("\n", out);
}

static void offsets(void) {
    offset("protocol.size", sizeof(WSAPROTOCOL_INFOW));
    offset("protocol.flags", offsetof(WSAPROTOCOL_INFOW, dwProviderFlags));
    offset("protocol.id", offsetof(WSAPROTOCOL_INFOW, ProviderId));
    offset("protocol.version", offsetof(WSAPROTOCOL_INFOW, iVersion));
    offset("protocol.name", offsetof(WSAPROTOCOL_INFOW, szProtocol));
    offset("protocol.nameLength", WSAPROTOCOL_LEN + 1);
    offset("adapter.next", offsetof(IP_ADAPTER_ADDRESSES, Next));
    offset("adapter.unicast", offsetof(IP_ADAPTER_ADDRESSES, FirstUnicastAddress));
    offset("adapter.description", offsetof(IP_ADAPTER_ADDRESSES, Description));
    offset("adapter.friendlyName", offsetof(IP_ADAPTER_ADDRESSES, FriendlyName));
    offset("adapter.mtu", offsetof(IP_ADAPTER_ADDRESSES, Mtu));
    offset("adapter.status", offsetof(IP_ADAPTER_ADDRESSES, OperStatus));
    offset("adapter.speed", offsetof(IP_ADAPTER_ADDRESSES, TransmitLinkSpeed));
    offset("adapter.up", IfOperStatusUp);
    offset("unicast.next", offsetof(IP_ADAPTER_UNICAST_ADDRESS, Next));
    offset("unicast.address", offsetof(IP_ADAPTER_UNICAST_ADDRESS, Address));
    offset("unicast.prefix", offsetof(IP_ADAPTER_UNICAST_ADDRESS, OnLinkPrefixLength));
    offset("socket.address", offsetof(struct sockaddr_in, sin_addr));
    offset("socket.inet", AF_INET);
}

static void protocols(void) {
    WSAPROTOCOL_INFOW all[3];
    memset(all, 0, sizeof all);
    wcscpy(all[0].szProtocol, L"MSAFD Tcpip [TCP/IP]");
    all[1].dwProviderFlags = PFL_HIDDEN | 0x10;
    all[1].iVersion = 2;
    all[1].ProviderId.Data1 = 0x03020100;
    all[1].ProviderId.Data4[7] = 0x0f;
    wcscpy(all[1].szProtocol, L"Network Direct \x00dc");
    all[2].dwProviderFlags = PFL_HIDDEN;
    wcscpy(all[2].szProtocol, L"hidden");
    dump("protocols", all, sizeof all, 0x10000);
}

static struct {
    IP_ADAPTER_ADDRESSES first, second;
    IP_ADAPTER_UNICAST_ADDRESS one, two;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    WCHAR name[32], description[32];
} net;

static void adapters(void) {
    net.first.Next = &net.second;
    wcscpy(net.name, L"Ethernet 2");
    wcscpy(net.description, L"RDMA adapter");
    net.first.FriendlyName = net.name;
    net.first.Description = net.description;
    net.first.Mtu = 2044;
    net.first.OperStatus = IfOperStatusUp;
    net.first.TransmitLinkSpeed = 54000000000ULL;
    net.first.FirstUnicastAddress = &net.one;
    net.one.Next = &net.two;
    net.one.Address.lpSockaddr = (struct sockaddr *)&net.v6;
    net.one.OnLinkPrefixLength = 64;
    net.v6.sin6_family = AF_INET6;
    net.two.Address.lpSockaddr = (struct sockaddr *)&net.v4;
    net.two.OnLinkPrefixLength = 16;
    net.v4.sin_family = AF_INET;
    net.v4.sin_addr.S_un.S_un_b.s_b1 = 172;
    net.v4.sin_addr.S_un.S_un_b.s_b2 = 16;
    net.v4.sin_addr.S_un.S_un_b.s_b3 = 3;
    net.v4.sin_addr.S_un.S_un_b.s_b4 = 200;
    net.second.OperStatus = IfOperStatusDown;
    net.second.TransmitLinkSpeed = ~0ULL;
    dump("adapters", &net, sizeof net, (unsigned long long)(size_t)&net);
}

int wmain(int count, wchar_t **arguments) {
    out = _wfopen(arguments[count - 1], L"wb");
    offsets();
    protocols();
    adapters();
    fclose(out);
    return 0;
}
