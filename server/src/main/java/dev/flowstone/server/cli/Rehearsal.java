package dev.flowstone.server.cli;

import dev.flowstone.dialect.dag.DagDialect;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * What a server that has just started is usually asked, asked once: so that the JVM that learns for the AOT cache loads what
 * is needed for it. Plain sockets, because a client of the JDK's own would be learnt too.
 */
final class Rehearsal {
    private static final String WORKFLOWS = "/api/v1/workflows";

    private final InetAddress address;
    private final int port;

    Rehearsal(InetAddress address, int port) {
        this.address = address;
        this.port = port;
    }

    void run() throws IOException {
        String definition = DagDialect.starter();
        String id = definition.replaceFirst("(?s).*?\"id\"\\s*:\\s*\"([^\"]+)\".*", "$1");
        call("GET", "/health/ready", "");
        call("POST", WORKFLOWS, definition);
        call("POST", WORKFLOWS + "/" + id + "/publish", "");
        call("GET", WORKFLOWS, "");
        String started =
                call("POST", WORKFLOWS + "/" + id + "/execute", "{\"requestId\":\"rehearsal\",\"trigger\":{}}");
        String execution = started.replaceFirst("(?s).*\"statusUrl\":\"([^\"]+)\".*", "$1");
        String state;
        do {
            state = call("GET", execution + "?include=actions,events", "");
        } while (state.contains("\"status\":\"Running\",\"tenantId\""));
        call("GET", execution + "/graph", "");
        call("GET", "/api/v1/executions", "");
        call("GET", "/nothing", "");
    }

    private String call(String method, String path, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: "
                + bytes.length + "\r\nContent-Type: application/json\r\n\r\n";
        try (Socket socket = new Socket(address, port)) {
            OutputStream out = socket.getOutputStream();
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(bytes);
            out.flush();
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
