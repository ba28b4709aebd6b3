package dev.gannet.client;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.Deadline;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.call.CallOwner;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.resolver.Target;
import dev.gannet.client.retry.MethodSettings;
import dev.gannet.client.retry.RetryThrottle;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.settings.MessageSettings;
import dev.gannet.client.settings.ServiceConfigSettings;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.settings.TransportSettings;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;

/** A channel on a virtual clock whose resolver and connections are in a test's hand. */
public final class TestChannel {
  public static final MethodDescriptor<String, String> UNARY = method(MethodType.UNARY);
  public static final MethodDescriptor<String, String> BIDI = method(MethodType.BIDI_STREAMING);

  /** The settings of a method about which the service config says nothing. */
  public static final MethodSettings NO_POLICY =
      new MethodSettings(MethodConfig.EMPTY, Optional.empty(), RetryThrottle.NONE);

  public final FakePipes pipes = new FakePipes();
  public final SimulatedLoop loop = pipes.loop;
  public final FakeConnector connector = new FakeConnector();
  public final TestResolver resolver = new TestResolver();
  public LoadBalancerProvider policy = LoadBalancerProvider.pickFirst();
  public Executor executor = Runnable::run;
  public TransportSettings connections = TransportSettings.OF_CLIENTS;
  public List<ClientCallTracer.Factory> tracers = List.of();
  public Duration idleTimeout = Duration.ZERO;
  public Duration closeGrace = Duration.ofSeconds(5);
  public OptionalInt maxInboundMessageBytes = OptionalInt.of(1 << 20);
  public int maxOutboundMessageBytes = Integer.MAX_VALUE;
  public Optional<CallCredentials> callCredentials = Optional.empty();
  public SecurityLevel securityLevel = SecurityLevel.PRIVACY_AND_INTEGRITY;
  public int maxConnectionsPerSubchannel = 1;
  public MessageEncodings encodings = MessageEncodings.DEFAULT;
  public ServiceConfigSettings serviceConfigs = ServiceConfigSettings.DEFAULT;
  private Optional<ManagedChannel> channel = Optional.empty();

  public static MethodDescriptor<String, String> method(MethodType type) {
    return MethodDescriptor.of(type, "test.Texts/" + type, new Text(), new Text());
  }

  /** Plain text; {@code unparsable} cannot be read. */
  private record Text() implements Marshaller<String> {
    @Override
    public void write(String message, MessageSink sink) {
      byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
      sink.reserve(bytes.length).put(bytes);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      String text = StandardCharsets.ISO_8859_1.decode(bytes).toString();
      if (text.equals("unparsable")) {
        throw new IllegalArgumentException(text);
      }
      if (text.equals("refused")) {
        throw Status.DATA_LOSS.withDescription(text).asException();
      }
      return text;
    }
  }

  /** Another channel with these settings, for calls that the test makes itself. */
  public CallOwner callOwner() {
    return new ChannelCore(settings(), noObservers());
  }

  public ChannelSettings settings() {
    return new ChannelSettings(
        ChannelSettings.Naming.of(Target.parse("test:///name", "test"::equals), "name", resolver),
        new ChannelSettings.Calls(
            executor,
            new MessageSettings(maxInboundMessageBytes, maxOutboundMessageBytes, encodings),
            tracers),
        new ChannelSettings.Security(callCredentials, securityLevel, false),
        new ChannelSettings.Connections(connector, connections, "", pipes),
        new ChannelSettings.Policies(policy, maxConnectionsPerSubchannel, serviceConfigs),
        new ChannelSettings.Lifetime(idleTimeout, closeGrace));
  }

  private static ChannelObservers noObservers() {
    return new ChannelObservers(List.of());
  }

  ManagedChannel anotherChannel() {
    return new ManagedChannel(settings(), List.of(), noObservers());
  }

  public ManagedChannel channel() {
    if (channel.isEmpty()) {
      channel = Optional.of(anotherChannel());
    }
    return channel.get();
  }

  /** A unary call that has sent its request and wants its response. */
  public TestCall call() {
    return call(CallOptions.DEFAULT);
  }

  public TestCall call(CallOptions options) {
    return start(UNARY, options).asks("request");
  }

  public TestCall patientCall() {
    return call(CallOptions.DEFAULT.withWaitForReady(true));
  }

  public TestCall start(MethodDescriptor<String, String> method) {
    return start(method, CallOptions.DEFAULT);
  }

  public TestCall start(MethodDescriptor<String, String> method, CallOptions options) {
    TestCall call = new TestCall(channel().newCall(method, options));
    call.start();
    return call;
  }

  /** Connects by a first call, which ends. */
  public FakeTransport connected() {
    TestCall first = call();
    FakeTransport transport = connector.last().becomesReady();
    endsWell(transport, first);
    return transport;
  }

  public FakeConnector.Dial dial() {
    return connector.last();
  }

  /** One of all its dials, counted from 0. */
  FakeConnector.Dial dial(int number) {
    return connector.dials.get(number);
  }

  /** A server answers the last call of a connection, which this one must be. */
  static void endsWell(FakeTransport transport, TestCall call) {
    transport.stream().answers("response");
    transport.stream().endsWith(Status.OK);
    if (!call.status().isOk()) {
      throw new AssertionError(call.status());
    }
  }

  public void advance(Duration duration) {
    loop.advance(duration);
  }

  public CallOptions within(Duration duration) {
    return CallOptions.DEFAULT.withDeadline(Deadline.after(duration, loop::nanoTime));
  }
}
