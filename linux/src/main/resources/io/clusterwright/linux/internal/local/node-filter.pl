# Sets a filter of system calls (seccomp) for itself, and becomes another program with it. This needs CAP_SYS_ADMIN, so that
# programs such as sudo can still change the user.
# Arguments: a file with the number of the system call "seccomp" and the filter in hexadecimal digits, the other program
# and its arguments
use strict;
use warnings;

my ($file, @program) = @ARGV;
open my $lines, '<', $file or die "$file: $!\n";
chomp(my ($seccomp, $digits) = <$lines>);
close $lines;
my $filter = pack 'H*', $digits;
my $described = pack 'S x![P] P', length($filter) / 8, $filter;
# 1: set a filter; 4: leave the protection of the processor against speculation as it is, which costs speed.
syscall($seccomp + 0, 1, 4, $described) == 0 or die "this kernel takes no filter of system calls: $!\n";
exec { $program[0] } @program or die "cannot run $program[0]: $!\n";
