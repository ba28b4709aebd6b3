package dev.gannet.transport.inprocess;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.transport.Transport;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.TransportProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A server and a channel to it by a virtual clock, with everything on one loop. */
final class World implements Scheduler {
  private final SimulatedLoop loop = new SimulatedLoop();
  private final InProcessAddress address = InProcessAddress.anonymous();
  private final SplittableRandom random = new SplittableRandom(1);
  private final TransportProvider transport;

  World() {
    this(InProcessOptions.DEFAULT);
  }

  World(InProcessOptions options) {
    transport = ((TransportProvider) options.transport()).by(this);
  }

  SimulatedLoop loop() {
    return loop;
  }

  Transport transport() {
    return transport;
  }

  InProcessAddress address() {
    return address;
  }

  ServerBuilder serverBuilder(
      MethodDescriptor<String, String> method, ServerCallHandler<String, String> handler) {
    return Server.builder(address)
        .transport(transport)
        .dispatch(Dispatch.on(loop))
        .add(
            ServerServiceDefinition.of(
                Texts.SERVICE, List.of(ServerMethodDefinition.of(method, handler))));
  }

  Server serve(MethodDescriptor<String, String> method, ServerCallHandler<String, String> handler) {
    return start(serverBuilder(method, handler));
  }

  static Server start(ServerBuilder builder) {
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ManagedChannelBuilder channelBuilder() {
    return ManagedChannel.builder(address)
        .transport(transport)
        .executor(loop)
        .idleTimeout(Duration.ofDays(36_501));
  }

  ManagedChannel channel() {
    return channelBuilder().build();
  }

  /** A call that has begun, whose answers are all asked for. */
  static ClientCall<String, String> begin(
      ManagedChannel channel,
      MethodDescriptor<String, String> method,
      CallOptions options,
      Metadata headers,
      Heard heard) {
    ClientCall<String, String> call = channel.newCall(method, options);
    call.start(heard, headers);
    call.request(1_000);
    return call;
  }

  /** A whole call of one request. */
  static Heard call(ManagedChannel channel, MethodDescriptor<String, String> method, String text) {
    Heard heard = new Heard();
    ClientCall<String, String> call =
        begin(channel, method, CallOptions.DEFAULT, new Metadata(), heard);
    call.sendMessage(text);
    call.halfClose();
    return heard;
  }

  void run() {
    loop.runUntilIdle();
  }

  @Override
  public Cancellable schedule(Runnable task, long delayNanos) {
    return loop.schedule(task, delayNanos);
  }

  @Override
  public void offload(Runnable task) {
    loop.execute(task);
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public long nanoTime() {
    return loop.nanoTime();
  }
}
