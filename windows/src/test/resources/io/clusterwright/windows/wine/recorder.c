/* Writes down the arguments that reach a program, by the parsers of Windows. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>
#include <shellapi.h>

int _dowildcard = 0;

static void put(FILE *to, const wchar_t *text) { fwrite(text, sizeof *text, wcslen(text) + 1, to); }

static void put_all(FILE *to, int count, wchar_t **arguments) {
    wchar_t number[16];
    _itow(count, number, 10);
    put(to, number);
    for (int i = 0; i < count; i++) put(to, arguments[i]);
}

static FILE *open_or_die(const wchar_t *name, const wchar_t *mode) {
    FILE *file = _wfopen(name, mode);
    if (!file) exit(90);
    return file;
}

/* Every command line of a file, each ended by a NUL. */
static wchar_t *read_lines(const wchar_t *name, wchar_t **end) {
    FILE *from = open_or_die(name, L"rb");
    fseek(from, 0, SEEK_END);
    long size = ftell(from);
    rewind(from);
    wchar_t *lines = malloc(size + sizeof *lines);
    if (!lines || fread(lines, 1, size, from) != (size_t)size) exit(91);
    fclose(from);
    *end = lines + size / sizeof *lines;
    return lines;
}

/* What CommandLineToArgvW makes of each line, without the program. */
static int split(const wchar_t *from, const wchar_t *to) {
    wchar_t *end, *line = read_lines(from, &end);
    FILE *out = open_or_die(to, L"wb");
    for (; line < end; line += wcslen(line) + 1) {
        int count;
        wchar_t **arguments = CommandLineToArgvW(line, &count);
        if (!arguments) return 92;
        put_all(out, count - 1, arguments + 1);
        LocalFree(arguments);
    }
    return fclose(out);
}

/*
 * Starts a process and waits for its good end. On a busy machine wine now and then fails to start one, or the one that cmd.exe should
 * start, which says nothing of its arguments; what ends well has recorded them.
 */
static BOOL started(wchar_t *line) {
    for (int tries = 5; tries > 0; tries--) {
        STARTUPINFOW how = {.cb = sizeof how};
        PROCESS_INFORMATION made;
        if (CreateProcessW(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &how, &made)) {
            DWORD status = 0;
            if (WaitForSingleObject(made.hProcess, 20000) != WAIT_OBJECT_0) exit(96);
            GetExitCodeProcess(made.hProcess, &status);
            CloseHandle(made.hThread);
            CloseHandle(made.hProcess);
            if (!status) return TRUE;
            fprintf(stderr, "a process ended with status %lu\n", status);
        } else {
            fprintf(stderr, "a process was not started: error %lu\n", GetLastError());
        }
        Sleep(300);
    }
    return FALSE;
}

/* Starts each line as a process; the processes record for themselves. */
static int start(const wchar_t *from) {
    wchar_t *end, *line = read_lines(from, &end);
    for (; line < end; line += wcslen(line) + 1) {
        if (!started(line)) return 93;
    }
    return 0;
}

/* Starts what follows the options, as job would have a node do it: joined again, or as it stood. */
static int tail(const wchar_t *how, int argc, wchar_t **argv) {
    static wchar_t line[8192] = L"cmd.exe /d /c ";
    int first = 2;
    while (first < argc && argv[first][0] == L'/') first++;
    if (!wcscmp(how, L"joined")) {
        for (int i = first; i < argc; i++) {
            wcscat(line, argv[i]);
            if (i + 1 < argc) wcscat(line, L" ");
        }
    } else {
        const wchar_t *rest = GetCommandLineW();
        for (int i = 0; i < first; i++) rest = wcschr(rest, L' ') + 1;
        wcscat(line, rest);
    }
    SetEnvironmentVariableW(L"RECORDER_TAIL", NULL);
    return started(line) ? 0 : 95;
}

int wmain(int argc, wchar_t **argv) {
    const wchar_t *record = _wgetenv(L"RECORD_TO");
    const wchar_t *mode = _wgetenv(L"RECORDER_MODE");
    const wchar_t *how = _wgetenv(L"RECORDER_TAIL");
    if (mode && argc == 3 && !wcscmp(mode, L"split")) return split(argv[1], argv[2]);
    if (mode && argc == 2 && !wcscmp(mode, L"start")) {
        SetEnvironmentVariableW(L"RECORDER_MODE", NULL);
        return start(argv[1]);
    }
    if (how) return tail(how, argc, argv);
    if (!record) return 94;
    FILE *to = open_or_die(record, L"ab");
    put_all(to, argc - 1, argv + 1);
    fclose(to);
    if (mode && !wcscmp(mode, L"ask")) {
        printf("Enter the password for HPC: ");
        fflush(stdout);
        if (getchar() == EOF) {
            printf("\nno password was given\n");
            return 1;
        }
    }
    if (mode && !wcscmp(mode, L"fail")) return 1;
    if (mode && !wcscmp(mode, L"hang")) Sleep(60000);
    const wchar_t *says = _wgetenv(L"RECORDER_SAYS");
    if (says) printf("%ls\n", says);
    return 0;
}
