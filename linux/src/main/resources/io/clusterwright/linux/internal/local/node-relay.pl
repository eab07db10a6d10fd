# Listens on the loopback interface of the machine and passes connections on to a node in a user namespace.
# It opens its port outside, prints it, and enters the namespace with it: a socket stays in the network that it was made in.
# Arguments: port, or 0 for any; address and port of the node; the words that run a program in the namespace
use strict;
use warnings;
use IO::Socket::INET;
use Socket qw(IPPROTO_TCP TCP_NODELAY);

my ($port, $node, $to, @enter) = @ARGV;
if (@enter) {
    local $^F = 1000;
    my %place = (LocalAddr => '127.0.0.1', Proto => 'tcp', Listen => 128, ReuseAddr => 1);
    my $listener = IO::Socket::INET->new(%place, LocalPort => $port) || IO::Socket::INET->new(%place, LocalPort => 0)
        or die "cannot listen on 127.0.0.1: $!\n";
    $| = 1;
    print $listener->sockport, "\n";
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', '/dev/null';
    open STDERR, '>', '/dev/null';
    exec @enter, 'perl', $0, fileno $listener, $node, $to;
}

my $listener = IO::Socket::INET->new_from_fd($port, 'r+') or die "no socket: $!\n";
$SIG{CHLD} = 'IGNORE';
while (1) {
    my $client = $listener->accept or next;
    my $child = fork // next;
    next if $child;
    close $listener;
    my $server = IO::Socket::INET->new(PeerAddr => $node, PeerPort => $to, Proto => 'tcp', Timeout => 10) or exit 1;
    setsockopt $_, IPPROTO_TCP, TCP_NODELAY, 1 for $client, $server;
    my $upwards = fork // exit 1;
    my ($from, $into) = $upwards ? ($client, $server) : ($server, $client);
    while (sysread $from, my $piece, 65536) {
        while (length $piece) {
            my $written = syswrite($into, $piece) // last;
            substr($piece, 0, $written) = '';
        }
        last if length $piece;
    }
    # The other direction ends when the peer has seen this end.
    shutdown $into, 1;
    exit 0;
}
