package dev.gannet.resolver.dns;

import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.serviceconfig.ServiceConfigs;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Looks one name up for one channel.
 *
 * <pre>
 *   WAITS ──asked, or the TTL is over──► LOOKS UP ──answer, or lookUpTimeout──► WAITS
 *     └──asked within minTime of an answer: repeats it, and looks up when minTime is over
 * </pre>
 *
 * <p>All of it happens on the look-ups' thread; only a service config is read on another one. If
 * that does not end within 5 seconds, because the name of this machine is not known, it is read
 * again with the last name, or without one: choices that name hosts do not apply then.
 */
final class NettyDnsResolver implements NameResolver {
  private static final int HUNDRED = 100;
  private static final long MAX_TTL_SECONDS = Duration.ofDays(1).toSeconds();
  private static final Attributes.Key<Remembered> REMEMBERED = Attributes.Key.of("remembered");
  private static final Attributes.Key<MachineName> NAME = Attributes.Key.of("machine name");

  /** How long the choices of a service config wait for the name of this machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final DnsTarget target;
  private final LookUpSettings settings;
  private final ResolverEnvironment around;
  private final MachineName machine;
  private volatile @Nullable EventLoop loop;

  // The look-ups' thread's.
  private @Nullable Listener listener;
  private Optional<LookUp> underWay = Optional.empty();
  private Optional<Reading> reading = Optional.empty();

  /** What was found last, unless that has failed. */
  private Optional<Resolution.Resolved> found = Optional.empty();

  private Remembered remembered;
  private long answeredNanos;
  private Optional<Registration> timer = Optional.empty();
  private long timerNanos;
  private boolean over;

  NettyDnsResolver(DnsTarget target, LookUpSettings settings, ResolverEnvironment around) {
    this.target = target;
    this.settings = settings;
    this.around = around;
    this.remembered =
        around
            .context()
            .kept(REMEMBERED)
            .orElseGet(() -> Remembered.drawn(around.context().random()));
    around.context().keep(REMEMBERED, remembered);
    this.machine = around.context().kept(NAME).orElseGet(() -> new MachineName(around.hostname()));
    around.context().keep(NAME, machine);
  }

  /**
   * What a channel's resolvers have in common.
   *
   * @param percentile decides which choices of a service config apply
   * @param config what was found last; empty if there was none
   */
  private record Remembered(int percentile, Optional<ServiceConfig> config) {
    static Remembered drawn(RandomGenerator random) {
      return new Remembered(random.nextInt(HUNDRED), Optional.empty());
    }
  }

  private void remember(Optional<ServiceConfig> config) {
    remembered = new Remembered(remembered.percentile(), config);
    around.context().keep(REMEMBERED, remembered);
  }

  @Override
  public void start(Listener listener) {
    EventLoop lent = LookUpThread.lend();
    loop = lent;
    lent.execute(() -> {
      this.listener = listener;
      lookUp();
    });
  }

  @Override
  public void refresh() {
    run(this::onAsked);
  }

  /** Stops the timer, and cancels the lookup that is running. */
  @Override
  public void shutdown() {
    EventLoop lent = loop;
    if (lent != null) {
      loop = null;
      try {
        lent.execute(this::stop);
      } finally {
        LookUpThread.giveBack();
      }
    }
  }

  private void stop() {
    over = true;
    stopTimer();
    reading.ifPresent(Reading::stop);
    underWay.ifPresent(LookUp::cancel);
    underWay = Optional.empty();
  }

  /** From a timer or another thread: the look-ups' thread may have ended meanwhile. */
  private void run(Runnable task) {
    EventLoop lent = loop;
    if (lent != null) {
      try {
        lent.execute(task);
      } catch (RejectedExecutionException e) {
        return; // shut down
      }
    }
  }

  private void onAsked() {
    if (over || isBusy()) {
      return;
    }
    long waitNanos = settings.minTimeNanos() - (around.context().nanoTime() - answeredNanos);
    if (found.isPresent() && waitNanos > 0) {
      lookUpIn(waitNanos);
      report(found.get());
    } else {
      lookUp();
    }
  }

  private boolean isBusy() {
    return reading.isPresent() || underWay.isPresent();
  }

  private void report(Resolution result) {
    Listener to = listener;
    if (to != null) {
      to.onResult(result);
    }
  }

  private void lookUp() {
    EventLoop lent = loop;
    if (over || lent == null || isBusy()) {
      return;
    }
    stopTimer();
    LookUp begun = new LookUp(target, settings, lent, this::onOutcome);
    underWay = Optional.of(begun);
    try {
      begun.start();
    } catch (RuntimeException | Error e) { // no socket can be opened, or no memory is left
      begun.cancel();
      onOutcome(new LookUp.Outcome.NotFound("the look-up failed: " + e));
    }
  }

  private void onOutcome(LookUp.Outcome outcome) {
    underWay = Optional.empty();
    switch (outcome) {
      case LookUp.Outcome.NotFound notFound -> onNotFound(notFound);
      case LookUp.Outcome.Found it -> onFound(it);
    }
  }

  private void onNotFound(LookUp.Outcome.NotFound notFound) {
    found = Optional.empty();
    lookUpByTtl(0);
    report(
        Resolution.failed(
            Status.UNAVAILABLE.withDescription(
                "cannot resolve " + target.host() + ": " + notFound.why())));
  }

  private void onFound(LookUp.Outcome.Found it) {
    List<Endpoint> endpoints =
        AddressSelection.sorted(it.addresses(), AddressSelection::hasRoute).stream()
            .map(address -> Endpoint.of(new InetSocketAddress(address, target.port())))
            .distinct()
            .toList();
    Resolution.Resolved result = Resolution.of(endpoints);
    if (it.config() instanceof Reply.Records records) {
      readConfig(it, result, records);
    } else {
      if (it.config() instanceof Reply.None) {
        remember(Optional.empty());
      }
      onResult(it.ttlSeconds(), withConfig(result));
    }
  }

  private void onResult(long ttlSeconds, Resolution.Resolved result) {
    found = Optional.of(result);
    answeredNanos = around.context().nanoTime();
    lookUpByTtl(ttlSeconds);
    report(result);
  }

  private Resolution.Resolved withConfig(Resolution.Resolved result) {
    return remembered.config().map(it -> it.addTo(result)).orElse(result);
  }

  private void readConfig(
      LookUp.Outcome.Found it, Resolution.Resolved result, Reply.Records records) {
    Reading begun = new Reading(it, result, records);
    reading = Optional.of(begun);
    begun.start();
  }

  /** A service config that is being read. */
  private final class Reading {
    private final LookUp.Outcome.Found outcome;
    private final Resolution.Resolved result;
    private final Reply.Records records;
    private final int percentile = remembered.percentile();
    private Optional<Registration> watch = Optional.empty();

    Reading(LookUp.Outcome.Found outcome, Resolution.Resolved result, Reply.Records records) {
      this.outcome = outcome;
      this.result = result;
      this.records = records;
    }

    /** Elsewhere: other look-ups do not wait for the JSON, nor for the machine's name. */
    void start() {
      try {
        Runnable late = () -> run(this::onSlow);
        watch = Optional.of(around.context().schedule(late, PATIENCE));
        around.context().offload(() -> read(machine::ask));
      } catch (RuntimeException | Error e) { // no thread, or no timer
        read(machine::last);
      }
    }

    private void onSlow() {
      if (isCurrent()) {
        read(machine::last);
      }
    }

    private boolean isCurrent() {
      return !over && reading.filter(this::equals).isPresent();
    }

    private void read(Supplier<String> hostname) {
      Resolution.Resolved whole = resultWith(hostname);
      run(() -> {
        if (isCurrent()) {
          stop();
          reading = Optional.empty();
          if (ServiceConfig.faultOf(whole).isEmpty()) {
            remember(ServiceConfig.in(whole));
          }
          onResult(outcome.ttlSeconds(), whole);
        }
      });
    }

    private Resolution.Resolved resultWith(Supplier<String> hostname) {
      try {
        return ConfigRecord.json(records.data())
            .flatMap(json ->
                ServiceConfigs.parseChoices(
                    json, settings.configPolicies().orElse(List.of()), hostname, percentile))
            .map(it -> it.addTo(result))
            .orElse(result);
      } catch (RuntimeException | Error e) { // caused by a peer's data; the waiting lookup must end
        return ServiceConfig.addInvalidTo(
            result,
            Status.UNAVAILABLE
                .withDescription(
                    "TXT record of _grpc_config." + outcome.name() + ": " + e.getMessage())
                .withCause(e));
      }
    }

    void stop() {
      watch.ifPresent(Registration::close);
    }
  }

  private void lookUpByTtl(long ttlSeconds) {
    if (settings.refresh() == LookUpSettings.Refresh.BY_TTL) {
      long ttlNanos = TimeUnit.SECONDS.toNanos(Math.min(ttlSeconds, MAX_TTL_SECONDS));
      lookUpIn(Math.max(ttlNanos, settings.minTimeNanos()));
    }
  }

  /** At the latest. */
  private void lookUpIn(long nanos) {
    long at = around.context().nanoTime() + nanos;
    if (timer.isPresent() && timerNanos - at <= 0) {
      return;
    }
    stopTimer();
    try {
      timer =
          Optional.of(around.context().schedule(() -> run(this::lookUp), Duration.ofNanos(nanos)));
      timerNanos = at;
    } catch (RuntimeException e) {
      return; // the transport's threads end, and the channel with them
    }
  }

  private void stopTimer() {
    timer.ifPresent(Registration::close);
    timer = Optional.empty();
  }
}
