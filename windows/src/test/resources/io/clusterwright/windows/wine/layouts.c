/* Writes what the headers of Windows say of structures, and memory in which such structures lie, for a reader in another language.
   Arguments: the kind, size, offset and flag by which a job object is told to end its processes. */
#define _WIN32_WINNT 0x0601
#include <winsock2.h>
#include <ws2tcpip.h>
#include <iphlpapi.h>
#include <windows.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
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
    offset("job.size", sizeof(JOBOBJECT_EXTENDED_LIMIT_INFORMATION));
    offset("job.flags", offsetof(JOBOBJECT_EXTENDED_LIMIT_INFORMATION, BasicLimitInformation.LimitFlags));
    offset("job.kind", JobObjectExtendedLimitInformation);
    offset("job.killOnClose", JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE);
    offset("job.access", PROCESS_SET_QUOTA | PROCESS_TERMINATE);
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

/* Ends a program of its own through a job object that is told to in the given numbers, by closing it. */
static void job(wchar_t **number, wchar_t *self) {
    unsigned size = _wtoi(number[1]);
    unsigned char *limits = calloc(1, size);
    STARTUPINFOW start = {.cb = sizeof start};
    PROCESS_INFORMATION child;
    WCHAR line[MAX_PATH + 16];
    HANDLE object = CreateJobObjectW(NULL, NULL);
    *(DWORD *)(limits + _wtoi(number[2])) = _wtoi(number[3]);
    if (!SetInformationJobObject(object, _wtoi(number[0]), limits, size)) {
        fprintf(out, "job refused %lu\n", GetLastError());
        return;
    }
    swprintf(line, MAX_PATH + 16, L"\"%ls\" wait", self);
    if (!CreateProcessW(NULL, line, NULL, NULL, FALSE, CREATE_SUSPENDED, NULL, NULL, &start, &child)) {
        fprintf(out, "job child %lu\n", GetLastError());
        return;
    }
    HANDLE opened = OpenProcess(_wtoi(number[4]), FALSE, child.dwProcessId);
    BOOL joined = AssignProcessToJobObject(object, opened);
    ResumeThread(child.hThread);
    DWORD before = WaitForSingleObject(child.hProcess, 200);
    CloseHandle(opened);
    CloseHandle(object);
    DWORD after = WaitForSingleObject(child.hProcess, 10000);
    fprintf(out, "job joined=%d ran=%d ended=%d\n", joined, before == WAIT_TIMEOUT, after == WAIT_OBJECT_0);
    TerminateProcess(child.hProcess, 1);
}

int wmain(int count, wchar_t **arguments) {
    if (count < 7) {
        Sleep(60000);
        return 0;
    }
    WCHAR self[MAX_PATH];
    GetModuleFileNameW(NULL, self, MAX_PATH);
    out = _wfopen(arguments[1], L"wb");
    offsets();
    protocols();
    adapters();
    job(arguments + 2, self);
    fclose(out);
    return 0;
}
