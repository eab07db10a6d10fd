package io.clusterwright.azure.emulator.internal.batch;

import io.clusterwright.emulator.internal.http.Call;
import io.clusterwright.emulator.internal.http.LoopbackServer;
import io.clusterwright.emulator.internal.http.Recorder;
import io.clusterwright.emulator.internal.http.Reply;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Serves the containers of a storage account over HTTP on the loopback address, to holders of a shared access signature. */
final class BlobServer implements AutoCloseable {
    /** The version of the service whose signatures these are. */
    private static final String VERSION = "2021-08-06";

    private static final Pattern BLOCK = Pattern.compile("<(Latest|Committed|Uncommitted)>([^<]*)</\\1>");
    private static final int LONGEST_NAME = 1024;

    private final BlobStore store;
    private final LoopbackServer server;

    BlobServer(BlobStore store) {
        this.store = store;
        this.server = new LoopbackServer(
                "blob-emulator", 0, null, null, new Recorder(null), call -> Optional.of(answer(call)));
    }

    /** The URL of a container with a signature for these permissions. */
    URI url(String container, String permissions) {
        return URI.create("http://127.0.0.1:" + server.port() + "/" + container + "?sv=" + VERSION + "&sr=c&sp="
                + permissions + "&sig=" + store.signature(container, permissions));
    }

    /** Whether a URL is of this account. */
    boolean isHere(URI url) {
        return ("127.0.0.1:" + server.port()).equals(url.getAuthority());
    }

    private Reply answer(Call call) {
        String[] parts = call.path().replaceFirst("^/+", "").split("/", 2);
        String container = parts[0];
        String blob = parts.length < 2 ? "" : parts[1];
        String permissions = call.query("sp");
        if (call.query("sv").isEmpty() || !store.isSignature(container, permissions, call.query("sig"))) {
            return refusal(403, "AuthenticationFailed", "Server failed to authenticate the request.");
        }
        if (!store.has(container)) {
            return refusal(404, "ContainerNotFound", "The specified container does not exist.");
        }
        if (blob.isEmpty() || blob.length() > LONGEST_NAME) {
            return refusal(400, "InvalidUri", "The requested URI does not represent any resource on the server.");
        }
        return switch (call.method()) {
            case "GET", "HEAD" -> permissions.contains("r") ? read(container, blob) : mayNot();
            case "PUT" -> {
                boolean may = permissions.contains("w")
                        || permissions.contains("c")
                                && call.query("comp").isEmpty()
                                && store.blob(container, blob).isEmpty();
                yield may ? write(call, container, blob) : mayNot();
            }
            default -> refusal(405, "UnsupportedHttpVerb", "The resource doesn't support specified Http Verb.");
        };
    }

    private Reply read(String container, String blob) {
        return store.blob(container, blob)
                .map(content -> Reply.file(content))
                .orElseGet(() -> refusal(404, "BlobNotFound", "The specified blob does not exist."));
    }

    private Reply write(Call call, String container, String blob) {
        return switch (call.query("comp")) {
            case "" -> {
                String type = call.header("x-ms-blob-type").orElse("");
                if (type.isEmpty()) {
                    yield refusal(400, "MissingRequiredHeader", "x-ms-blob-type was not specified.");
                }
                if (!type.equals("BlockBlob")) {
                    yield refusal(400, "InvalidHeaderValue", "x-ms-blob-type has the value " + type + ".");
                }
                store.put(container, blob, call.bytes());
                yield Reply.empty(201);
            }
            case "block" -> block(call, container, blob);
            case "blocklist" -> blocks(call, container, blob);
            default -> refusal(400, "InvalidQueryParameterValue", "comp has the value " + call.query("comp") + ".");
        };
    }

    private Reply block(Call call, String container, String blob) {
        try {
            int length = Base64.getDecoder().decode(call.query("blockid")).length;
            if (length >= 1 && length <= 64) {
                store.putBlock(container, blob, call.query("blockid"), call.bytes());
                return Reply.empty(201);
            }
        } catch (IllegalArgumentException e) {
            return refusal(400, "InvalidQueryParameterValue", "blockid is not Base64.");
        }
        return refusal(400, "InvalidQueryParameterValue", "blockid has 1 to 64 bytes.");
    }

    private Reply blocks(Call call, String container, String blob) {
        List<String> ids = new ArrayList<>();
        Matcher block = BLOCK.matcher(call.text());
        while (block.find()) {
            ids.add(block.group(2));
        }
        return store.putBlocks(container, blob, ids)
                ? Reply.empty(201)
                : refusal(400, "InvalidBlockList", "The specified block list is invalid.");
    }

    private static Reply mayNot() {
        return refusal(
                403,
                "AuthorizationPermissionMismatch",
                "This request is not authorized to perform this operation using this permission.");
    }

    private static Reply refusal(int status, String code, String message) {
        return Reply.text(
                        status,
                        "<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>" + code + "</Code><Message>" + message
                                + "</Message></Error>",
                        "application/xml")
                .with("x-ms-error-code", code);
    }

    @Override
    public void close() {
        server.close();
    }
}
