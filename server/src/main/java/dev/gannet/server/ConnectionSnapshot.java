package dev.gannet.server;

import java.net.SocketAddress;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/**
 * The state of a connection of a server at one moment. Counts start when the connection is opened,
 * and are 0 if the server {@linkplain ServerBuilder#countCalls does not count}.
 *
 * @param id its number, which is unique among connections, servers and channels of this process
 * @param streams its calls; a call counts as succeeded if its response, with any status, was
 *     written to the network
 * @param lastMessageSent when the last message was sent; empty if there was none
 * @param lastMessageReceived when the last message arrived; empty if there was none
 */
public record ConnectionSnapshot(
    long id,
    SocketAddress localAddress,
    SocketAddress remoteAddress,
    Optional<SSLSession> sslSession,
    CallCounts streams,
    long messagesSent,
    long messagesReceived,
    Optional<Instant> lastMessageSent,
    Optional<Instant> lastMessageReceived) {}
