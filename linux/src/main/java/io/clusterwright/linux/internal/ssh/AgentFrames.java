package io.clusterwright.linux.internal.ssh;

import io.clusterwright.core.Command;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The frames in which a command agent takes requests and gives answers: a type (1 byte), the number of a command (4), a length (4) and
 * that number of bytes.
 */
final class AgentFrames {
    /** A longer request goes over a channel, where it is no burden on other commands. */
    static final int LONGEST_REQUEST = 64 * 1024;

    static final byte STARTED = 1;
    static final byte DECLINED = 2;
    static final byte STDOUT = 3;
    static final byte STDERR = 4;
    static final byte ENDED = 5;

    private static final byte RUN = 1;
    private static final byte FORGET = 2;
    private static final int HEAD = 9;
    private static final int LONGEST_ANSWER = 64 * 1024;

    private byte[] rest = new byte[0];

    /** Receives the content of a frame, which is valid during the call. */
    interface Receiver {
        void accept(byte type, int number, ByteBuffer content);
    }

    /**
     * What a request to run a command holds: its words, its variables, its input. Empty where only a channel carries it.
     *
     * @param root whether the account is root already, so that an elevated command needs no sudo
     * @throws io.clusterwright.core.type.InvalidValueException when a variable cannot be carried
     */
    static Optional<byte[]> request(Command command, boolean root) {
        ExecLine.requireVariables(command);
        if (command.inputOpen() || command.input().length > LONGEST_REQUEST) {
            return Optional.empty();
        }
        boolean sudo = command.elevated() && !root;
        boolean given = command.input().length > 0;
        List<String> variables = new ArrayList<>();
        if (!sudo) {
            command.environment().forEach((name, value) -> variables.addAll(List.of(name, value)));
        }
        byte[] input = sudo ? ExecLine.input(command) : command.input();
        ByteArrayOutputStream request = new ByteArrayOutputStream(256);
        request.write(input.length > 0 ? 1 : 0);
        try {
            write(request, sudo ? ExecLine.program(command, false, given) : command.arguments());
            write(request, variables);
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
        request.writeBytes(input);
        return request.size() > LONGEST_REQUEST ? Optional.empty() : Optional.of(request.toByteArray());
    }

    private static void write(ByteArrayOutputStream request, List<String> words) throws CharacterCodingException {
        request.writeBytes(length(words.size()));
        for (String word : words) {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(word));
            request.writeBytes(length(bytes.remaining()));
            request.write(bytes.array(), bytes.position(), bytes.remaining());
        }
    }

    private static byte[] length(int length) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(length).array();
    }

    /** A frame that asks to run a command. */
    static byte[] run(int number, byte[] request) {
        return frame(RUN, number, request);
    }

    /** A frame that asks to read no more of a command's output. */
    static byte[] forget(int number) {
        return frame(FORGET, number, new byte[0]);
    }

    private static byte[] frame(byte type, int number, byte[] content) {
        return ByteBuffer.allocate(HEAD + content.length)
                .put(type)
                .putInt(number)
                .putInt(content.length)
                .put(content)
                .array();
    }

    /**
     * Hands on the frames that are whole, and keeps the rest.
     *
     * @throws IllegalStateException when the bytes are no frames
     */
    void accept(byte[] bytes, int offset, int length, Receiver receiver) {
        ByteBuffer all;
        if (rest.length == 0) {
            all = ByteBuffer.wrap(bytes, offset, length);
        } else {
            all = ByteBuffer.wrap(Arrays.copyOf(rest, rest.length + length));
            System.arraycopy(bytes, offset, all.array(), rest.length, length);
        }
        while (all.remaining() >= HEAD) {
            int size = all.getInt(all.position() + HEAD - Integer.BYTES);
            if (size < 0 || size > LONGEST_ANSWER) {
                throw new IllegalStateException("a frame of " + size + " bytes");
            }
            if (all.remaining() < HEAD + size) {
                break;
            }
            byte type = all.get();
            int number = all.getInt();
            all.getInt();
            ByteBuffer content = all.slice().limit(size);
            all.position(all.position() + size);
            receiver.accept(type, number, content);
        }
        rest = new byte[all.remaining()];
        all.get(rest);
    }
}
