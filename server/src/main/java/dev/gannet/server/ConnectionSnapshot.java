package dev.gannet.server;

import java.net.SocketAddress;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * The state of a connection of a server at one moment. Counts start when the connection is opened,
 * and are 0 if the server {@linkplain ServerBuilder#countCalls does not count}.
 *
 * @param id its number, which no other connection, server or channel of this process has
 * @param streams its calls; one succeeds where its answer, whatever the status, was handed to the
 *     network
 * @param bytesSent the bytes of these messages on the network, compressed where they were, without
 *     what frames them; 0 for objects that were handed over within the process
 * @param bytesReceived likewise
 * @param lastMessageSent when the last message was sent; empty if none was
 * @param lastMessageReceived when the last message came; empty if none did
 */
public record ConnectionSnapshot(
    long id,
    SocketAddress localAddress,
    SocketAddress remoteAddress,
    Optional<SSLSession> sslSession,
    CallCounts streams,
    long messagesSent,
    long messagesReceived,
    long bytesSent,
    long bytesReceived,
    Optional<Instant> lastMessageSent,
    Optional<Instant> lastMessageReceived) {}
