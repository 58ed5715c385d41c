package dev.flowstone.architecture.planted;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/** The ways out of a process past the client that checks where a call goes. */
final class Ways {
    private Ways() {}

    static int client(URI address) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding())
                    .statusCode();
        }
    }

    static int socket(String host, int port) throws IOException {
        try (Socket socket = new Socket(host, port)) {
            return socket.getInputStream().read();
        }
    }

    static boolean channel(InetSocketAddress address) throws IOException {
        try (SocketChannel channel = SocketChannel.open(address)) {
            return channel.isConnected();
        }
    }

    static long connection(URL address) throws IOException {
        return address.openConnection().getContentLengthLong();
    }

    /** Something that may fail. */
    @FunctionalInterface
    interface Opening {
        InputStream open(URL address) throws IOException;
    }

    static Optional<Opening> stream() {
        return Optional.of(URL::openStream);
    }
}
