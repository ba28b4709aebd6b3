package dev.gannet.suites;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallEventListener;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ExceededDeadline;
import dev.gannet.transport.Scheduler.Cancellable;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.settings.ServerDeadline;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A call on a {@link DirectConnection}: the client's stream, and the events of both ends. Commands
 * run as tasks of the loop, in the order of the flushes.
 */
final class DirectCall<Q, R> implements ClientStream<Q> {
  private final DirectConnection connection;
  private final CallStart<Q, R> start;
  private final ClientCallEventListener client;
  private final Backlog toServer = new Backlog(() -> notifyClient(new CallEvent.Ready()));
  private final Backlog toClient = new Backlog(() -> notifyServer(new CallEvent.Ready()));
  private List<Runnable> commands = new ArrayList<>();
  private boolean flushed;

  // The loop's.
  private @Nullable CallEventListener server;
  private @Nullable Cancellable timer;
  private boolean singleRequestCame;
  private boolean singleRequest;
  private boolean clientEnded;
  private boolean serverEnded;
  private boolean endMayWait;

  DirectCall(DirectConnection connection, CallStart<Q, R> start, ClientCallEventListener client) {
    this.connection = connection;
    this.start = start;
    this.client = client;
  }

  @Override
  public void send(Q message, boolean compressed) {
    toServer.add();
    commands.add(() -> deliverRequest(message));
  }

  @Override
  public void sendFramed(ByteBuffer frame) {
    throw new UnsupportedOperationException("messages are objects here");
  }

  @Override
  public void halfClose() {
    commands.add(() -> notifyServer(new CallEvent.HalfClosed()));
  }

  @Override
  public void flush() {
    List<Runnable> taken = commands;
    commands = new ArrayList<>();
    if (!flushed) {
      flushed = true;
      connection.loop().execute(this::begin);
    }
    taken.forEach(connection.loop()::execute);
  }

  @Override
  public void cancel(Status status) {
    connection.loop().execute(() -> onCancel(status));
  }

  @Override
  public boolean isReady() {
    return !clientEnded && toServer.isShort();
  }

  @Override
  public void consumed(int heldBytes) {
    connection.loop().execute(toClient::take);
  }

  @Override
  public void requested() {}

  private void begin() {
    if (clientEnded) {
      return;
    }
    if (!connection.add(this)) {
      endClient(DirectTransport.gone("the connection is shut down"));
      return;
    }
    Optional<Deadline> deadline = start.deadline();
    if (deadline.isPresent() && deadline.get().remainingNanos() <= 0) {
      endClient(
          Status.DEADLINE_EXCEEDED.withDescription(
              "deadline exceeded before the server read the request"));
      return;
    }
    Optional<? extends ServerMethod<?, ?>> method =
        connection.served().find("/" + start.method().fullMethodName());
    if (method.isEmpty()) {
      endClient(Status.UNIMPLEMENTED.withDescription("Method not found"));
      return;
    }
    notifyClient(new CallEvent.Ready());
    begin(method.get());
  }

  private <A, B> void begin(ServerMethod<A, B> method) {
    Optional<Deadline> clients = start.deadline();
    OptionalLong leftNanos =
        clients.isPresent()
            ? OptionalLong.of(clients.get().remainingNanos())
            : OptionalLong.empty();
    ServerDeadline deadline = method.limits().deadline(leftNanos, connection.loop()::nanoTime);
    if (deadline.isSet()) {
      Status late =
          deadline.isClients()
              ? ExceededDeadline.of(
                  clients, "waiting for the response of " + info().remoteAddress())
              : deadline.lateStatus();
      timer = connection.loop().schedule(() -> endBoth(late), deadline.remainingNanos());
    }
    singleRequest = method.descriptor().type().clientSendsOneMessage();
    CallEventListener served = method.begin(new DirectServerStream<>(this, deadline.deadline()));
    server = served;
    if (CallAdmission.of(served) instanceof CallAdmission.Refused refused) {
      answer(refused.status(), refused.trailers());
      endServer(refused.status());
    } else {
      served.flush();
    }
  }

  private void deliverRequest(Q message) {
    if (singleRequest && singleRequestCame) {
      endBoth(Status.INTERNAL.withDescription("a second request message"));
    } else if (!serverEnded) {
      singleRequestCame = true;
      notifyServer(CallEvent.Message.parsed(message, 1));
    }
  }

  private void onCancel(Status status) {
    if (!clientEnded) {
      endClient(status);
      endServer(Status.CANCELLED.withDescription("the client has cancelled the call"));
    } else if (endMayWait) { // behind messages that nobody reads
      endMayWait = false;
      client.add(CallEvent.Closed.atOnce(status));
      client.flush();
    }
  }

  /** Ends the call at both ends, by neither's doing. */
  void endBoth(Status status) {
    endClient(status);
    endServer(status);
  }

  /** The server has answered: its status comes behind its messages. */
  void answer(Status status, Metadata trailers) {
    if (!clientEnded) {
      endMayWait = true;
      endClient(CallEvent.Closed.received(status, trailers));
    }
  }

  private void endClient(Status status) {
    endClient(CallEvent.Closed.atOnce(status));
  }

  private void endClient(CallEvent.Closed end) {
    if (!clientEnded) {
      notifyClient(end);
      clientEnded = true;
      removeIfOver();
    }
  }

  /** Ends the call for the server. */
  void endServer(Status status) {
    if (!serverEnded) {
      notifyServer(CallEvent.Closed.atOnce(status));
      serverEnded = true;
      removeIfOver();
    }
  }

  private void removeIfOver() {
    if (clientEnded && (serverEnded || server == null)) {
      if (timer != null) {
        timer.cancel();
      }
      connection.remove(this);
    }
  }

  void notifyClient(CallEvent event) {
    if (!clientEnded) {
      client.add(event);
      client.flush();
    }
  }

  private void notifyServer(CallEvent event) {
    if (server != null && !serverEnded) {
      server.add(event);
      server.flush();
    }
  }

  boolean isServed() {
    return !serverEnded;
  }

  void execute(Runnable task) {
    connection.loop().execute(task);
  }

  boolean isOnLoop() {
    return connection.loop().isRunning();
  }

  @Override
  public ConnectionInfo connection() {
    return info();
  }

  ConnectionInfo info() {
    return connection.info();
  }

  CallStart<Q, R> start() {
    return start;
  }

  Backlog toServer() {
    return toServer;
  }

  Backlog toClient() {
    return toClient;
  }

  /** How many messages one side has sent that the other has not taken. */
  static final class Backlog {
    private static final int MOST = 8;

    private final Runnable onShort;
    private int messages;

    Backlog(Runnable onShort) {
      this.onShort = onShort;
    }

    void add() {
      messages++;
    }

    boolean isShort() {
      return messages < MOST;
    }

    void take() {
      if (--messages == MOST - 1) {
        onShort.run();
      }
    }
  }
}
