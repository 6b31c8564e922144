"""What a process that reads gives up before it sees the first byte of a stranger's file.

Each layer is enough against much and not against all, and none is there on every system:

    rlimits        memory; no core dumps, no bytes written to files
    uid            a user of its own, where we were started as root
    namespaces     a network, and System V objects, of its own, which are empty
    no_new_privs   no program gives it rights
    landlock       files: the interpreter, our packages, fonts and OCR data may be read, no more;
                   nothing is written, run, connected or signalled
    capabilities   none
    seccomp        no sockets of any family, no programs, no files opened to be written, no
                   tracing, no signal to others, nothing that the kernel learnt later
    audit          the same, as Python sees it; the only layer where this is not Linux

`landlock` and `seccomp` do without name spaces, which most containers refuse, and together they
hold everything that `REQUIRED` promises.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from likewise.process_pool import limit_memory
from likewise.reading.request import Limits

REQUIRED: Final = ("rlimits", "no_new_privs", "landlock", "seccomp")
REQUIRE_VARIABLE: Final = "LIKEWISE_REQUIRE_SANDBOX"


@dataclass(frozen=True, slots=True)
class Confinement:
    """The layers around a reader, and why others are missing."""

    layers: tuple[str, ...]
    missing: tuple[tuple[str, str], ...] = ()  # layer, reason

    @property
    def is_complete(self) -> bool:
        """Whether everything holds that `--require-sandbox` promises."""
        return set(REQUIRED) <= set(self.layers)

    @property
    def lacks(self) -> str:
        """What is missing of it, for people."""
        return "; ".join(f"{name}: {why}" for name, why in self.missing if name in REQUIRED)


def require_sandbox() -> None:
    """Have nothing read, by this process and those that it starts, where it is not complete."""
    os.environ[REQUIRE_VARIABLE] = "1"


def is_required() -> bool:
    """Whether nothing may be read where the sandbox is not complete."""
    return os.environ.get(REQUIRE_VARIABLE, "").lower() in ("1", "true", "yes", "on")


def confine(limits: Limits) -> Confinement:
    """Give up, in this process and for good, whatever reading does not need."""
    layers: list[str] = []
    missing: list[tuple[str, str]] = []

    def add(name: str, why_not: str | None) -> None:
        if why_not is None:
            layers.append(name)
        else:
            missing.append((name, why_not))

    add("rlimits", _limit_resources(limits))
    if sys.platform == "linux":
        needed, readable = _own_paths(), [*map(Path, (*_SYSTEM_FOLDERS, *_SYSTEM_FILES))]
        add("uid", _change_user(needed))
        add("namespaces", _leave_namespaces())
        add("no_new_privs", _prctl(_PR_SET_NO_NEW_PRIVS, 1))
        add("landlock", _restrict_files([*needed, *readable]))
        add("capabilities", _drop_capabilities())
        add("seccomp", _filter_system_calls())
    else:
        missing += [(name, "not on this system") for name in ("no_new_privs", *REQUIRED[2:])]
    sys.addaudithook(_refuse_event)
    layers.append("audit")
    return Confinement(tuple(layers), tuple(missing))


# Resources


def _limit_resources(limits: Limits) -> str | None:
    if not limit_memory(limits.memory_bytes):  # Windows: time and unpacked size are still limited
        return "not on this system"
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # pipes are no files
    return None


# Another user

_FIRST_UID, _UIDS = 61184, 4336  # what systemd keeps for users that exist while a program runs


def _change_user(needed: Iterable[Path]) -> str | None:
    """A user that nothing belongs to, and no other reader is."""
    if os.geteuid() != 0:
        return "not started as root"
    user = _FIRST_UID + os.getpid() % _UIDS
    try:
        os.setgroups([])
        os.setegid(user)
        os.seteuid(user)
    except OSError as error:
        os.seteuid(0)
        os.setegid(0)
        return f"the system refuses ({error.strerror})"
    unreadable = next((path for path in needed if not _can_read(path)), None)
    os.seteuid(0)
    os.setegid(0)
    if unreadable is not None:
        return f"another user could not read {unreadable}"
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    return None


def _can_read(path: Path) -> bool:
    """Whether a path that we found can be opened by the user that we are now."""
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError:
        return False
    return True


# Name spaces

_NEW_USER, _NEW_NETWORK, _NEW_IPC = 0x10000000, 0x40000000, 0x08000000


def _leave_namespaces() -> str | None:
    return _called("unshare", _libc().unshare(_NEW_USER | _NEW_NETWORK | _NEW_IPC))


# Privileges

_PR_SET_NO_NEW_PRIVS = 38
_CAPABILITY_VERSION_3 = 0x20080522


def _prctl(option: int, value: int) -> str | None:
    return _called("prctl", _libc().prctl(option, value, 0, 0, 0))


def _drop_capabilities() -> str | None:
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0))
    nothing = ctypes.create_string_buffer(24)
    return _called("capset", _libc().capset(header, nothing))


# Landlock: https://docs.kernel.org/userspace-api/landlock.html

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_VERSION_FLAG = 1
_PATH_BENEATH = 1
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}  # how many bits there are, by version
_BIND_AND_CONNECT_TCP = 3  # from version 4
_SOCKETS_AND_SIGNALS = 3  # of others; from version 6


def _restrict_files(readable: Iterable[Path]) -> str | None:
    syscall = _libc().syscall
    version = syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG)
    if version < 1:
        return f"the kernel has none ({_reason()})"
    handled = struct.pack(
        "=QQQ",
        (1 << _FILE_RIGHTS[min(version, 5)]) - 1,
        _BIND_AND_CONNECT_TCP if version >= 4 else 0,
        _SOCKETS_AND_SIGNALS if version >= 6 else 0,
    )
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = syscall(_CREATE_RULESET, handled, ctypes.c_size_t(size), 0)
    if ruleset < 0:
        return f"the kernel refuses ({_reason()})"
    try:
        for path in readable:
            _allow(ruleset, path)
        return _called("landlock", syscall(_RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what cannot be opened now will not be later
    rights = _READ_FILE | _READ_FOLDER if path.is_dir() else _READ_FILE
    try:
        rule = struct.pack("=Qi", rights, place)
        _libc().syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)
    finally:
        os.close(place)


_SYSTEM_FOLDERS = (
    *("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib"),
    *("/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/X11/fonts", "/etc/fonts"),
    *("/usr/share/zoneinfo", "/sys/devices/system/cpu"),
)
_SYSTEM_FILES = (
    *("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/etc/ld.so.cache"),
    *("/etc/localtime", "/etc/timezone", "/etc/mime.types", "/proc/cpuinfo", "/proc/meminfo"),
)
# What readers import, at the latest when a file of some format comes along.
_PACKAGES = (
    *("numpy", "Stemmer", "lxml", "zstandard", "pypdfium2", "pypdfium2_raw", "pdf_oxide"),
    *("PIL", "python_calamine", "resiliparse", "trafilatura", "cv2", "tesserocr"),
)


def _own_paths() -> list[Path]:
    """Interpreter, packages and OCR data, as far as they are there."""
    from likewise.reading.image.engine import language_data

    names = ("stdlib", "platstdlib", "purelib", "platlib")
    paths = {Path(__file__).parents[1], *(Path(sysconfig.get_path(name)) for name in names)}
    paths |= {Path(place) for place in os.environ.get("LD_LIBRARY_PATH", "").split(":") if place}
    if data := language_data():
        paths.add(data)
    for name in _PACKAGES:
        paths.update(_places_of(name))
    return sorted(path for path in paths if path.exists())


def _places_of(package: str) -> Iterator[Path]:
    """Where a package lies, and the libraries that its wheel brought along.

    Not the folder above: people keep a module beside their documents. Looking for it makes Python
    remember what is in that folder, which it may not list later.
    """
    with suppress(ImportError, ValueError):
        spec = find_spec(package)
        if spec is None:
            return
        for place in spec.submodule_search_locations or ():
            yield Path(place)
            yield Path(place).with_name(f"{package}.libs")
        if spec.origin and not spec.submodule_search_locations:
            yield Path(spec.origin)


# seccomp: https://docs.kernel.org/userspace-api/seccomp_filter.html

# Refused whatever their arguments: number on x86-64, number on ARM 64; -1 where there is none.
_REFUSED_CALLS: Final = {
    # the network, and connections to programs on this machine
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    "recvfrom": (45, 207),
    "recvmsg": (47, 212),
    "recvmmsg": (299, 243),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    # programs and processes
    "fork": (57, -1),
    "vfork": (58, -1),
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setsid": (112, 157),
    "setpgid": (109, 154),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "personality": (135, 92),
    "pidfd_send_signal": (424, 424),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    # files
    "creat": (85, -1),
    "truncate": (76, 45),
    "rename": (82, -1),
    "renameat": (264, 38),
    "renameat2": (316, 276),
    "unlink": (87, -1),
    "unlinkat": (263, 35),
    "link": (86, -1),
    "linkat": (265, 37),
    "symlink": (88, -1),
    "symlinkat": (266, 36),
    "mkdir": (83, -1),
    "mkdirat": (258, 34),
    "mknod": (133, -1),
    "mknodat": (259, 33),
    "rmdir": (84, -1),
    "chmod": (90, -1),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "chown": (92, -1),
    "fchown": (93, 55),
    "lchown": (94, -1),
    "fchownat": (260, 54),
    "utime": (132, -1),
    "utimes": (235, -1),
    "utimensat": (280, 88),
    "futimesat": (261, -1),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "memfd_create": (319, 279),
    "inotify_init": (253, -1),
    "inotify_init1": (294, 26),
    "inotify_add_watch": (254, 27),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "quotactl": (179, 60),
    # the system
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "syslog": (103, 116),
    "vhangup": (153, 58),
    "ioperm": (173, -1),
    "iopl": (172, -1),
    "modify_ldt": (154, -1),
    "setuid": (105, 146),
    "setgid": (106, 144),
    "capset": (126, 91),
    "setreuid": (113, 145),
    "setregid": (114, 143),
    "setresuid": (117, 147),
    "setresgid": (119, 149),
    "setgroups": (116, 159),
    "setfsuid": (122, 151),
    "setfsgid": (123, 152),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "quotactl_fd": (443, 443),
    "memfd_secret": (447, 447),
}
# Said to be unknown, so that the C library takes an older call whose arguments can be seen.
_UNKNOWN_CALLS: Final = {"clone3": (435, 435), "openat2": (437, 437)}
_NEWEST_CALL = 450  # what came later is unknown too: nobody has judged it
_OPEN, _OPENAT, _CLONE, _KILL, _TGKILL = (2, -1), (257, 56), (56, 220), (62, 129), (234, 131)
_PRLIMIT, _SET_AFFINITY = (302, 261), (203, 122)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | 0x400000  # a file without a name
_CLONE_THREAD = 0x10000
_ARCHITECTURES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_SECCOMP: Final = {"x86_64": 317, "aarch64": 277}
_SET_MODE_FILTER, _ALL_THREADS = 1, 1
_ALLOW, _KILL_PROCESS, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # where they stand in what a filter is shown


def _filter_system_calls() -> str | None:
    machine = platform.machine()
    if machine not in _ARCHITECTURES or sys.maxsize < 2**32:
        return f"there is no filter for {machine}"
    program = _filter(*_ARCHITECTURES[machine], os.getpid())
    code = ctypes.create_string_buffer(b"".join(program))
    head = struct.pack("HxxxxxxP", len(program), ctypes.addressof(code))
    status = _libc().syscall(
        _SECCOMP[machine], _SET_MODE_FILTER, _ALL_THREADS, ctypes.create_string_buffer(head)
    )
    return _called("seccomp", status)


def _filter(column: int, architecture: int, own_pid: int) -> list[bytes]:
    """A program of the kernel's: it is shown a call, and returns what becomes of it."""
    program = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, architecture, 1, 0),
        _step(_RETURN, _KILL_PROCESS),
        _step(_LOAD, _NUMBER),
    ]

    def refuse(code: int) -> bytes:
        return _step(_RETURN, _ERRNO | code)

    for numbers in _REFUSED_CALLS.values():
        if numbers[column] >= 0:
            program += [_step(_EQUAL, numbers[column], 0, 1), refuse(errno.EPERM)]
    for numbers in _UNKNOWN_CALLS.values():
        program += [_step(_EQUAL, numbers[column], 0, 1), refuse(errno.ENOSYS)]
    program += [_step(_AT_LEAST, _NEWEST_CALL + 1, 0, 1), refuse(errno.ENOSYS)]
    for numbers, argument, test, value, is_fine_if in (
        (_OPEN, 1, _ANY_BIT, _WRITING, False),
        (_OPENAT, 2, _ANY_BIT, _WRITING, False),
        (_CLONE, 0, _ANY_BIT, _CLONE_THREAD, True),
        (_KILL, 0, _EQUAL, own_pid, True),
        (_TGKILL, 0, _EQUAL, own_pid, True),
        (_PRLIMIT, 0, _EQUAL, 0, True),
        (_SET_AFFINITY, 0, _EQUAL, 0, True),
    ):
        if numbers[column] < 0:
            continue
        program += [
            _step(_EQUAL, numbers[column], 0, 4),
            _step(_LOAD, _ARGUMENTS + 8 * argument),  # its lower half
            _step(test, value, 1, 0) if is_fine_if else _step(test, value, 0, 1),
            refuse(errno.EPERM),
            _step(_RETURN, _ALLOW),
        ]
    return [*program, _step(_RETURN, _ALLOW)]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_true, if_false, value)


# The C library


def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def _called(name: str, status: int) -> str | None:
    return None if status >= 0 else f"{name} is refused ({_reason()})"


def _reason() -> str:
    return os.strerror(ctypes.get_errno())


# Python's own view

_REFUSED_EVENTS = (
    *("socket.", "subprocess.", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.fork"),
    *("shutil.", "os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink"),
    *("os.truncate", "os.chmod", "os.chown", "os.kill", "os.killpg", "signal.pthread_kill"),
)


def _refuse_event(event: str, arguments: tuple[Any, ...]) -> None:
    if event.startswith(_REFUSED_EVENTS) or (event == "open" and _is_writing(arguments)):
        raise PermissionError(f"a reader may not call {event}")


def _is_writing(arguments: tuple[Any, ...]) -> bool:
    path, mode, flags = arguments
    if isinstance(path, int):  # something that is open
        return False
    return any(letter in (mode or "") for letter in "wax+") or bool((flags or 0) & _WRITING)
