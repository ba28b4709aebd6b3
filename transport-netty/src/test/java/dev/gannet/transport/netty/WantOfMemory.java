package dev.gannet.transport.netty;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.ConnectionContext;
import dev.gannet.server.Server;
import dev.gannet.server.ServerTransportFilter;
import dev.gannet.transport.http2.Http2Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A course of events over real sockets in which one piece of memory cannot be had: a server and a
 * channel begin, calls are made one after the other, and all is shut down.
 */
final class WantOfMemory {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final int MESSAGE_BYTES = 70_000; // many frames, several buffers
  private static final int MESSAGES = 2;
  private static final int CALLS = 1;
  private static final String SERVICE = "test.Echo";
  private static final MethodDescriptor<byte[], byte[]> ECHO =
      MethodDescriptor.of(MethodType.BIDI_STREAMING, SERVICE + "/Echo", new Bytes(), new Bytes());

  private final ServerCredentials serverCredentials;
  private final ChannelCredentials channelCredentials;
  private final int number;
  private final FailingMemory memory;
  private final ConcurrentLinkedQueue<Echo> echoes = new ConcurrentLinkedQueue<>();
  private final List<Caller> callers = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();
  private final Filter filter = new Filter();

  /** One in which that piece cannot be had; pieces count from 1. */
  WantOfMemory(
      ServerCredentials serverCredentials, ChannelCredentials channelCredentials, int number) {
    this.serverCredentials = serverCredentials;
    this.channelCredentials = channelCredentials;
    this.number = number;
    this.memory = new FailingMemory(number);
  }

  boolean hasFailed() {
    return memory.hasFailed();
  }

  /** Plays it; returns the rules that did not hold. */
  List<String> play() throws Exception {
    NettyEventLoops loops = NettyEventLoops.of(1, memory);
    try {
      play(new NettyPipes(() -> loops));
    } finally {
      loops.shutDown(LONG.toSeconds());
    }
    hold(memory.bytesInUse() == 0, memory.bytesInUse() + " bytes are lost");
    hold(callers.stream().allMatch(caller -> caller.ends.get() == 1), "not one end for each call");
    hold(filter.open.get() == 0, filter.open + " connections of the filter have no end");
    hold(echoes.stream().allMatch(echo -> echo.ends.get() == 1), "not one end for each handler");
    return broken;
  }

  private void play(NettyPipes pipes) throws Exception {
    Server server = serve(pipes);
    ManagedChannel channel =
        ManagedChannel.builder(InetAddress.getLoopbackAddress().getHostAddress(), server.port())
            .credentials(channelCredentials)
            .transport(Http2Transport.over(pipes))
            .directExecutor()
            .build();
    for (int i = 0; i < CALLS; i++) {
      hold(!isLate(call(channel, false)), "call " + i + " does not hear of its end");
    }
    Status last = call(channel, true);
    hold(last.isOk() || call(channel, true).isOk(), "two calls in a row do not go well: " + last);
    hold(channel.shutdown().awaitTermination(LONG), "the channel lives on");
    hold(server.shutdown().awaitTermination(LONG), "the server lives on");
  }

  private static boolean isLate(Status status) {
    return status.code() == Status.Code.DEADLINE_EXCEEDED;
  }

  private void hold(boolean rule, String otherwise) {
    if (!rule) {
      broken.add("without piece " + number + ": " + otherwise);
    }
  }

  private Server serve(NettyPipes pipes) throws IOException {
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .credentials(serverCredentials)
        .transport(Http2Transport.over(pipes))
        .dispatch(Dispatch.on(Runnable::run))
        .addTransportFilter(filter)
        .add(
            ServerServiceDefinition.of(
                SERVICE,
                List.of(
                    ServerMethodDefinition.of(
                        ECHO,
                        (call, headers) -> {
                          Echo echo = new Echo(call);
                          echoes.add(echo);
                          call.request(1);
                          return echo;
                        }))))
        .start();
  }

  private Status call(ManagedChannel channel, boolean waitForReady) throws Exception {
    CallOptions options = CallOptions.DEFAULT.withDeadline(LONG).withWaitForReady(waitForReady);
    Caller caller = new Caller(channel.newCall(ECHO, options));
    callers.add(caller);
    return caller.play();
  }

  /** Sends some messages, waiting for each to come back. */
  private static final class Caller implements ClientCall.Listener<byte[]> {
    private final ClientCall<byte[], byte[]> call;
    private final CompletableFuture<Status> end = new CompletableFuture<>();
    private final AtomicInteger ends = new AtomicInteger();
    private int sent;

    Caller(ClientCall<byte[], byte[]> call) {
      this.call = call;
    }

    Status play() throws Exception {
      call.start(this);
      call.request(MESSAGES);
      send();
      return end.get(2 * LONG.toSeconds(), TimeUnit.SECONDS);
    }

    private void send() {
      if (sent++ < MESSAGES) {
        call.sendMessage(new byte[MESSAGE_BYTES]);
      } else {
        call.halfClose();
      }
    }

    @Override
    public void onMessage(byte[] message) {
      send();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      ends.incrementAndGet();
      end.complete(status);
    }
  }

  /** Counts the connections that it was told of. */
  private static final class Filter implements ServerTransportFilter {
    private final AtomicInteger open = new AtomicInteger();

    @Override
    public void onTransportReady(ConnectionContext connection) {
      open.incrementAndGet();
    }

    @Override
    public void onTransportTerminated(ConnectionContext connection) {
      open.decrementAndGet();
    }
  }

  /** Answers each request with itself. */
  private static final class Echo implements ServerCall.Listener<byte[]> {
    private final ServerCall<byte[], byte[]> call;
    private final AtomicInteger ends = new AtomicInteger();

    Echo(ServerCall<byte[], byte[]> call) {
      this.call = call;
    }

    @Override
    public void onMessage(byte[] message) {
      call.sendMessage(message);
      call.request(1);
    }

    @Override
    public void onHalfClose() {
      call.close(Status.OK, new Metadata());
    }

    @Override
    public void onCancel() {
      ends.incrementAndGet();
    }

    @Override
    public void onComplete() {
      ends.incrementAndGet();
    }
  }
}
