package dev.gannet.benchmarks;

import dev.gannet.benchmarks.harness.WrongUsageException;
import java.io.PrintWriter;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Prints to standard error why a command failed: one line, followed by the usage if the command
 * line was invalid (exit code 2), or by the stack trace if that was requested (exit code 1).
 */
record FailureReport(BooleanSupplier verbose)
    implements IParameterExceptionHandler, IExecutionExceptionHandler {
  @Override
  public int handleParseException(ParameterException e, String[] args) {
    return wrongUsage(e.getCommandLine(), e);
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    if (e instanceof WrongUsageException) {
      return wrongUsage(command, e);
    }
    printLine(command, e);
    if (verbose.getAsBoolean()) {
      e.printStackTrace(command.getErr());
    }
    return ExitCode.SOFTWARE;
  }

  private static int wrongUsage(CommandLine command, Exception e) {
    printLine(command, e);
    command.usage(command.getErr());
    return ExitCode.USAGE;
  }

  private static void printLine(CommandLine command, Exception e) {
    PrintWriter err = command.getErr();
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    String name = command.getCommandSpec().qualifiedName();
    err.println(name + ": " + message.lines().findFirst().orElse(""));
  }
}
