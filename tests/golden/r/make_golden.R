# Reference values for Bradley-Terry fits: scores, positions and four covariances, from R.
#
# Run in this folder:  Rscript make_golden.R
# Writes <data set>.csv (the simulated verdicts) and <data set>.json (what R says about them).
# Needs BradleyTerry2, sandwich and jsonlite. README.md says what the files hold.

suppressPackageStartupMessages({
  library(BradleyTerry2)
  library(sandwich)
  library(jsonlite)
})
options(warn = 2)

ITEMS <- c("alder", "birch", "cedar", "elm", "fir", "oak")
STRICT <- glm.control(epsilon = 1e-14, maxit = 100)
TOLERANCE <- 1e-10

sort_c <- function(x) sort(unique(x), method = "radix")

stop_unless_close <- function(actual, expected, what, tolerance = TOLERANCE) {
  gap <- max(abs(actual - expected)) / max(1, max(abs(expected)))
  if (!is.finite(gap) || gap > tolerance) stop(sprintf("%s: differs by %.3g", what, gap))
  invisible(gap)
}

# ---- simulated verdicts -------------------------------------------------------------------------

# Sizes of the prompts: uneven, between 1 and `largest`, adding up to `rows`.
uneven_sizes <- function(rows, prompts, largest) {
  sizes <- rep(1L, prompts)
  pull <- rgamma(prompts, shape = 1.2)
  while (sum(sizes) < rows) {
    grown <- sample.int(prompts, 1, prob = pull * (sizes < largest))
    sizes[grown] <- sizes[grown] + 1L
  }
  sizes
}

ordered_pairs <- function(items) {
  grid <- expand.grid(a = seq_along(items), b = seq_along(items))
  as.matrix(grid[grid$a != grid$b, ])
}

unordered_pairs <- function(items) {
  pairs <- ordered_pairs(items)
  pairs[pairs[, "a"] < pairs[, "b"], , drop = FALSE]
}

# Every row of a prompt meets another pair in another order, so that no two rows are duplicates.
one_judge_design <- function(items, rows, prompts) {
  pairs <- ordered_pairs(items)
  sizes <- uneven_sizes(rows, prompts, largest = nrow(pairs))
  picked <- unlist(lapply(sizes, function(size) sample.int(nrow(pairs), size)))
  data.frame(prompt = rep(seq_along(sizes), sizes), judge = 1L, pairs[picked, ])
}

# A pair of a prompt is seen by each judge with its own probability and in an order of its own.
several_judges_design <- function(items, rows, prompts, seen) {
  pairs <- unordered_pairs(items)
  sizes <- uneven_sizes(rows, prompts, largest = nrow(pairs))
  picked <- unlist(lapply(sizes, function(size) sample.int(nrow(pairs), size)))
  shown <- data.frame(prompt = rep(seq_along(sizes), sizes), pairs[picked, ])
  shown <- merge(shown, data.frame(judge = seq_along(seen)))
  shown <- shown[runif(nrow(shown)) < seen[shown$judge], ]
  swap <- runif(nrow(shown)) < 0.5
  shown[swap, c("a", "b")] <- shown[swap, c("b", "a")]
  shown
}

# Prompt-level item effects and a prompt-level position effect make the rows of a prompt dependent.
simulated_log_odds <- function(design, score, position, spread) {
  prompts <- max(design$prompt)
  item_effect <- matrix(rnorm(prompts * ncol(score), sd = spread), prompts)
  position_effect <- rnorm(prompts, sd = spread / 2)
  worth <- function(item) score[cbind(design$judge, item)] + item_effect[cbind(design$prompt, item)]
  worth(design$a) - worth(design$b) + position[design$judge] + position_effect[design$prompt]
}

# Davidson's three outcomes; tie = 0 gives wins and losses only.
simulated_verdicts <- function(log_odds, tie) {
  parts <- cbind(a = exp(log_odds / 2), tie = tie, b = exp(-log_odds / 2))
  edges <- parts[, 1:2] / rowSums(parts)
  u <- runif(length(log_odds))
  ifelse(u < edges[, 1], "a", ifelse(u < edges[, 1] + edges[, 2], "tie", "b"))
}

simulated_data <- function(design, items, judges, score, position, tie, spread, weights = 1L) {
  verdict <- simulated_verdicts(simulated_log_odds(design, score, position, spread), tie)
  data <- data.frame(
    prompt = sprintf("p%02d", design$prompt), judge = judges[design$judge],
    slot_a = items[design$a], slot_b = items[design$b], verdict = verdict,
    weight = weights[sample.int(length(weights), nrow(design), replace = TRUE)]
  )
  data <- data[sample.int(nrow(data)), ]   # a cluster's rows need not be neighbours
  rownames(data) <- NULL
  data
}

simulate_one_judge <- function(rows, prompts, items, score, tie, weights = 1L) {
  simulated_data(one_judge_design(items, rows, prompts), items, "judge_1", rbind(score),
                 position = 0.45, tie = tie, spread = 0.7, weights = weights)
}

simulate_three_judges <- function() {
  score <- rbind(c(1.0, 0.6, 0.2, -0.2, -0.6, -1.0),
                 c(0.4, 0.9, -0.1, 0.3, -0.9, -0.6),
                 c(1.4, 0.1, 0.8, -0.7, -0.4, -1.2))
  design <- several_judges_design(ITEMS, rows = 220, prompts = 60, seen = c(0.95, 0.80, 0.55))
  simulated_data(design, ITEMS, c("judge_1", "judge_2", "judge_3"), score,
                 position = c(0.6, -0.3, 0.15), tie = 0.40, spread = 0.7)
}

seeded <- function(seed, simulate) {
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  simulate()
}

simulated_data_sets <- function() {
  five <- c(0.9, 0.4, 0, -0.4, -0.9)
  list(
    one_judge_binary = seeded(101, function() simulate_one_judge(300, 40, ITEMS[1:5], five, 0)),
    one_judge_ties = seeded(202, function() simulate_one_judge(300, 40, ITEMS[1:5], five, 0.40)),
    three_judges = seeded(303, simulate_three_judges),
    two_items = seeded(404, function() simulate_one_judge(110, 70, ITEMS[1:2], c(0.3, -0.3), 0)),
    weights = seeded(505, function() simulate_one_judge(150, 40, ITEMS[1:5], five, 0.40, 1:4))
  )
}

# ---- design matrices ----------------------------------------------------------------------------

# A weight is a number of equal rows: the reference is the fit of the rows written out.
expanded_rows <- function(data) data[rep(seq_len(nrow(data)), data$weight), ]

half_wins <- function(data) c(a = 1, tie = 0.5, b = 0)[data$verdict]

# One column an item after the first, whose score is held at 0: +1 where shown first, -1 second.
item_contrasts <- function(data, items) {
  sapply(items[-1], function(item) (data$slot_a == item) - (data$slot_b == item))
}

# Columns: for every judge its item contrasts, then for every judge its position intercept.
order_effect_matrix <- function(data, items, judges) {
  own <- sapply(judges, function(judge) as.numeric(data$judge == judge))
  contrasts <- item_contrasts(data, items)
  blocks <- lapply(seq_along(judges), function(j) contrasts * own[, j])
  do.call(cbind, c(blocks, list(own)))
}

# L in scores = L beta: from "first item at 0" to "scores sum to 0".
sum_to_zero_map <- function(n_items) {
  (diag(n_items) - 1 / n_items)[, -1, drop = FALSE]
}

order_effect_map <- function(n_items, n_judges) {
  scores <- kronecker(diag(n_judges), sum_to_zero_map(n_items))
  map <- matrix(0, nrow(scores) + n_judges, ncol(scores) + n_judges)
  map[seq_len(nrow(scores)), seq_len(ncol(scores))] <- scores
  map[cbind(nrow(scores) + seq_len(n_judges), ncol(scores) + seq_len(n_judges))] <- 1
  map
}

# ---- fits and covariances -----------------------------------------------------------------------

# glm's weights lag one step behind its coefficients, so the fit is started once more at its end.
converged_glm <- function(y, x) {
  family <- if (all(y %in% 0:1)) binomial() else quasibinomial()
  fit <- glm(y ~ 0 + x, family = family, control = STRICT)
  fit <- glm(y ~ 0 + x, family = family, control = STRICT, start = coef(fit))
  stopifnot(fit$converged, !anyNA(coef(fit)))
  fit
}

hand_information <- function(fit, x) {
  p <- as.vector(plogis(x %*% coef(fit)))
  crossprod(x, x * (p * (1 - p)))
}

hand_sandwich <- function(fit, y, x, cluster) {
  psi <- x * as.vector(y - plogis(x %*% coef(fit)))
  stop_unless_close(colSums(psi), 0, "estimating equations at the estimate")
  totals <- rowsum(psi, cluster)
  inverse <- solve(hand_information(fit, x))
  nrow(totals) / (nrow(totals) - 1) * inverse %*% crossprod(totals) %*% inverse
}

checked_model_covariance <- function(fit, x) {
  covariance <- summary(fit, dispersion = 1)$cov.scaled
  stop_unless_close(covariance, solve(hand_information(fit, x)), "model covariance")
  covariance
}

# NULL where there is one cluster only: G / (G - 1) has no value.
checked_sandwich <- function(fit, y, x, cluster) {
  if (length(unique(cluster)) < 2) return(NULL)
  covariance <- vcovCL(fit, cluster = cluster, type = "HC0", cadjust = TRUE)
  stop_unless_close(covariance, hand_sandwich(fit, y, x, cluster), "sandwich covariance")
  covariance
}

cluster_kinds <- function(data) {
  list(
    independent = seq_len(nrow(data)),
    prompt = data$prompt,
    judge_pair = paste(data$judge, pmin(data$slot_a, data$slot_b), pmax(data$slot_a, data$slot_b))
  )
}

mapped <- function(covariance, map) {
  if (is.null(covariance)) NULL else unname(map %*% covariance %*% t(map))
}

covariances <- function(fit, y, x, map, data) {
  kinds <- cluster_kinds(data)
  raw <- c(list(model = checked_model_covariance(fit, x)),
           lapply(kinds, function(cluster) checked_sandwich(fit, y, x, cluster)))
  lapply(raw, mapped, map = map)
}

cluster_counts <- function(data) lapply(cluster_kinds(data), function(k) length(unique(k)))

log_likelihood <- function(fit, y, x) {
  log_odds <- as.vector(x %*% coef(fit))
  sum(y * plogis(log_odds, log.p = TRUE) + (1 - y) * plogis(-log_odds, log.p = TRUE))
}

fitted_model <- function(data, x, map, parameters) {
  y <- half_wins(data)
  fit <- converged_glm(y, x)
  list(
    fit = fit,
    vector = as.vector(map %*% coef(fit)),
    parameters = parameters,
    log_likelihood = log_likelihood(fit, y, x),
    covariance = covariances(fit, y, x, map, data)
  )
}

fitted_bradley_terry <- function(data, items) {
  fitted_model(data, item_contrasts(data, items), sum_to_zero_map(length(items)),
               paste0("score[", items, "]"))
}

fitted_order_effect <- function(data, items, judges) {
  names <- c(outer(items, judges, function(item, judge) sprintf("score[%s, %s]", judge, item)),
             sprintf("position[%s]", judges))
  fitted_model(data, order_effect_matrix(data, items, judges),
               order_effect_map(length(items), length(judges)), names)
}

# ---- checks against other routes ----------------------------------------------------------------

# BTm takes whole wins only. Where there are ties every row is counted twice (a tie is a win each):
# the same estimates, half the covariance.
bradley_terry_2 <- function(data, items, formula) {
  times <- if (any(data$verdict == "tie")) 2 else 1
  y <- half_wins(data)
  wins <- cbind(times * y, times * (1 - y))
  slot_a <- data.frame(item = factor(data$slot_a, levels = items), first = 1)
  slot_b <- data.frame(item = factor(data$slot_b, levels = items), first = 0)
  # do.call hands over values: BTm would look for names outside this function.
  fit <- do.call(BTm, list(outcome = wins, player1 = slot_a, player2 = slot_b,
                           formula = formula, id = "item", control = STRICT))
  list(coefficients = coef(fit), covariance = times * vcov(fit), rows_counted = times)
}

# BTm's covariance is from the weights one step back (see converged_glm), hence its looser check.
checked_bradley_terry_2 <- function(data, items, formula, fit) {
  other <- bradley_terry_2(data, items, formula)
  stop_unless_close(other$coefficients, coef(fit), "BradleyTerry2 coefficients")
  stop_unless_close(other$covariance, summary(fit, dispersion = 1)$cov.scaled,
                    "BradleyTerry2 covariance", tolerance = 1e-8)
  list(formula = paste(deparse(formula), collapse = ""), rows_counted = other$rows_counted,
       coefficients = as.list(other$coefficients))
}

# The joint fit must be the judges' separate fits, side by side.
check_separate_judges <- function(joint, data, items, judges) {
  for (judge in judges) {
    own <- fitted_order_effect(data[data$judge == judge, ], items, judge)
    at <- match(own$parameters, joint$parameters)
    stop_unless_close(joint$vector[at], own$vector, "separate fits")
    stop_unless_close(joint$covariance$model[at, at], own$covariance$model, "separate covariances")
  }
}

# Judges meet in prompts only: the other covariances are 0 between judges.
check_between_judges <- function(joint, judges) {
  if (length(judges) == 1) return(invisible())
  first <- grepl(judges[1], joint$parameters, fixed = TRUE)
  for (kind in c("model", "independent", "judge_pair")) {
    stop_unless_close(joint$covariance[[kind]][first, !first], 0, "between judges")
  }
  stopifnot(max(abs(joint$covariance$prompt[first, !first])) > 1e-3)
}

check_sums <- function(model) {
  scores <- startsWith(model$parameters, "score")
  stop_unless_close(sum(model$vector[scores]), 0, "scores add up to zero")
}

# ---- output -------------------------------------------------------------------------------------

made_with <- function() {
  packages <- c("BradleyTerry2", "sandwich", "jsonlite")
  versions <- lapply(packages, function(package) as.character(packageVersion(package)))
  c(list(script = "make_golden.R", R = R.version.string, platform = R.version$platform),
    setNames(versions, packages))
}

model_entry <- function(model, score, position, bradley_terry_2) {
  list(score = score, position = position, parameters = model$parameters,
       log_likelihood = unbox(model$log_likelihood), covariance = model$covariance,
       bradley_terry_2 = unboxed(bradley_terry_2))
}

unboxed <- function(x) if (is.list(x)) lapply(x, unboxed) else if (is.null(x)) NULL else unbox(x)

bradley_terry_entry <- function(data, items, judges) {
  model <- fitted_bradley_terry(data, items)
  check_sums(model)
  other <- if (length(judges) == 1) checked_bradley_terry_2(data, items, ~item, model$fit)
  model_entry(model, score = model$vector, position = numeric(0), other)
}

order_effect_entry <- function(data, items, judges) {
  model <- fitted_order_effect(data, items, judges)
  check_sums(model)
  check_separate_judges(model, data, items, judges)
  check_between_judges(model, judges)
  other <- if (length(judges) == 1) checked_bradley_terry_2(data, items, ~ item + first, model$fit)
  n_scores <- length(items) * length(judges)
  score <- matrix(model$vector[seq_len(n_scores)], nrow = length(judges), byrow = TRUE)
  model_entry(model, score, position = model$vector[-seq_len(n_scores)], other)
}

reference <- function(name, data) {
  rows <- expanded_rows(data)
  items <- sort_c(c(data$slot_a, data$slot_b))
  judges <- sort_c(data$judge)
  list(
    data_set = unbox(name), data_file = unbox(paste0(name, ".csv")),
    made_with = unboxed(made_with()), items = items, judges = judges,
    n_rows = unbox(nrow(data)), n_comparisons = unbox(nrow(rows)),
    n_clusters = unboxed(cluster_counts(rows)),
    models = list(bradley_terry = bradley_terry_entry(rows, items, judges),
                  order_effect = order_effect_entry(rows, items, judges))
  )
}

write_reference <- function(name, data) {
  stopifnot(nrow(data) <= 600, !anyDuplicated(data[c("prompt", "judge", "slot_a", "slot_b")]))
  write.csv(data, paste0(name, ".csv"), row.names = FALSE, quote = FALSE)
  values <- reference(name, data)
  text <- toJSON(values, digits = I(15), matrix = "rowmajor", null = "null")
  one_line_a_field <- gsub('("\\w+":)', "\n\\1", text)
  writeLines(one_line_a_field, paste0(name, ".json"))
  cat(sprintf("%-17s rows %3d, comparisons %3d, ties %.2f, largest prompt %d\n", name, nrow(data),
              values$n_comparisons, mean(data$verdict == "tie"), max(table(data$prompt))))
}

stopifnot("run this in the folder of make_golden.R" = file.exists("make_golden.R"))
data_sets <- simulated_data_sets()
for (name in names(data_sets)) write_reference(name, data_sets[[name]])
