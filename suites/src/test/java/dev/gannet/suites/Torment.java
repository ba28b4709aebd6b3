package dev.gannet.suites;

import dev.gannet.api.Channel;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.suites.Faults.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * One small course of events in which one thing fails: a server and a channel begin, a call of some
 * kind is made, then two more, then all is shut down. Callers do what callers do: a call that
 * throws at them they cancel, a shutdown that throws they do again.
 */
final class Torment {
  /** Longer than attempts to connect and the backoff behind them. */
  private static final Duration LONG = Duration.ofMinutes(3);

  private static final int CALLS = 3;
  private static final String LONG_TEXT = Texts.ofLength(40_000); // several frames and buffers

  private final Simulation simulation = new Simulation();
  private final NthFault faults;
  private final List<Echo> echoes = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();

  Torment(int faultNumber) {
    this.faults = new NthFault(faultNumber);
  }

  /** Plays it with a call of that method; returns the rules that did not hold. */
  List<String> play(MethodDescriptor<String, String> method) {
    Executor executor = new Guarded();
    simulation.network().setFaults(faults);
    simulation.with(method, this::serve);
    Server server = Simulation.start(simulation.serverBuilder().dispatch(Dispatch.on(executor)));
    ManagedChannel channel = simulation.channelBuilder().executor(executor).build();
    for (int i = 0; i < CALLS; i++) {
      boolean struckBefore = faults.struck().isPresent();
      RecordingClientListener<String> call = call(channel, method);
      hold(call.closes() == 1, "call " + i + " ends so: " + call.events());
      hold(!struckBefore || isOk(call), "call " + i + ", behind the fault, does not go well");
    }
    shutDown(channel, server);
    return broken;
  }

  private static boolean isOk(RecordingClientListener<String> call) {
    return call.isClosed() && call.status().isOk();
  }

  NthFault faults() {
    return faults;
  }

  private void hold(boolean rule, String otherwise) {
    if (!rule) {
      broken.add(faults + ": " + otherwise);
    }
  }

  private ServerCall.Listener<String> serve(ServerCall<String, String> call, Metadata headers) {
    Echo echo = new Echo(call);
    echoes.add(echo);
    call.request(1);
    return echo;
  }

  private RecordingClientListener<String> call(
      Channel channel, MethodDescriptor<String, String> method) {
    RecordingClientListener<String> listener = new RecordingClientListener<>();
    var call = channel.newCall(method, simulation.within(Duration.ofDays(1)));
    boolean single = method.type().clientSendsOneMessage();
    List<Runnable> orders = new ArrayList<>();
    orders.add(() -> call.start(listener));
    orders.add(() -> call.request(9));
    orders.add(() -> call.sendMessage(LONG_TEXT));
    orders.add(() -> {
      if (!single) {
        call.sendMessage("more");
      }
    });
    orders.add(call::halfClose);
    try {
      for (Runnable order : orders) {
        order.run();
        simulation.run();
      }
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      passOnUnless(e);
      again(() -> call.cancel("it threw"));
    }
    simulation.advance(LONG);
    return listener;
  }

  /** What is not simulated is a fault of the test or the engine. */
  private static void passOnUnless(Throwable thrown) {
    if (!Faults.isSimulated(thrown)) {
      throw new AssertionError("not simulated: " + thrown, thrown);
    }
  }

  private static void again(Runnable action) {
    try {
      action.run();
    } catch (RejectedExecutionException e) {
      passOnUnless(e);
      action.run();
    }
  }

  private void shutDown(ManagedChannel channel, Server server) {
    again(channel::shutdown);
    again(server::shutdown);
    simulation.advance(LONG);
    SimulatedNetwork network = simulation.network();
    hold(channel.isTerminated(), "the channel lives on");
    hold(server.isTerminated(), "the server lives on");
    hold(network.openConnections() == 0, "a connection is open still");
    hold(network.buffersInUse() == 0, network.buffersInUse() + " buffers are lost");
    hold(simulation.loop().pendingTasks() == 0, "timers or tasks are left");
    for (Echo echo : echoes) {
      hold(echo.ends == 1, "a handler is told " + echo.ends + " ends");
    }
  }

  /** A user's executor, whose threads survive what its tasks throw. */
  private final class Guarded implements Executor {
    @Override
    public void execute(Runnable task) {
      if (faults.strike(Operation.SUBMIT)) {
        throw Faults.refusal();
      }
      simulation
          .loop()
          .execute(() -> {
            try {
              task.run();
            } catch (RejectedExecutionException | OutOfMemoryError e) {
              passOnUnless(e);
            }
          });
    }
  }

  /** Answers each request with itself, or all of them with the last. */
  private static final class Echo implements ServerCall.Listener<String> {
    private final ServerCall<String, String> call;
    private String last = "";
    private int ends;

    Echo(ServerCall<String, String> call) {
      this.call = call;
    }

    @Override
    public void onMessage(String message) {
      last = message;
      call.request(1);
      if (!call.method().type().serverSendsOneMessage()) {
        call.sendMessage(message);
      }
    }

    @Override
    public void onHalfClose() {
      if (call.method().type().serverSendsOneMessage()) {
        call.sendMessage(last);
      }
      call.close(Status.OK, new Metadata());
    }

    @Override
    public void onCancel() {
      ends++;
    }

    @Override
    public void onComplete() {
      ends++;
    }
  }
}
